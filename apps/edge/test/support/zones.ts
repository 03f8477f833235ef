import type { EdgeDocument, LoadBalancer, OriginServer } from '@zonewright/edge-protocol';
import { compileDelivered } from '@zonewright/engine';
import { okOf } from '../../../../packages/engine/test/outcomes.ts';
import { documentOf, type ZoneDraft } from '../../../../packages/engine/test/zones.ts';
import { type ServedZone, sha256, type Zones } from '../../src/documents/accepted-zone.ts';

/** A test's zone: a draft of the engine's tests, and what an edge document has besides. */
export interface EdgeDraft extends Omit<ZoneDraft, 'backends'> {
  readonly id?: string;
  readonly name?: string;
  readonly hostnames?: readonly string[];
  readonly backends?: readonly (OriginServer | LoadBalancer)[];
  readonly users?: EdgeDocument['basicAuthUsers'];
}

/** An origin server on loopback with the id `origin-1`, or another one. */
export const originOn = (port: number, more: Partial<OriginServer> = {}): OriginServer => ({
  kind: 'origin_server',
  id: 'origin-1',
  protocol: 'http',
  address: '127.0.0.1',
  port,
  ...more,
});

let digests = 0;

/** The zone of a draft. */
export function servedZone(draft: EdgeDraft): ServedZone {
  const { id = 'zone-1', name = 'a.example', hostnames = ['a.example'], users = {} } = draft;
  const backends = Object.fromEntries((draft.backends ?? []).map((each) => [each.id, each]));
  const { backends: _, ...rest } = draft;
  const document = documentOf(rest);
  const engine = okOf(compileDelivered({ document, backends }, { sha256 }));
  return {
    digest: `sha256:${(digests += 1)}`,
    engine,
    document: {
      format: 1,
      semantics: 2,
      zone: { id, name, tag: 'prod', organization: '/api/organizations/1' },
      revision: 7,
      hostnames,
      document,
      backends,
      basicAuthUsers: users,
      checks: [],
    },
  };
}

const hostname = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+\.?$/;

/** Finds zones by their exact host names; `any` finds one zone for every host. */
export function zonesOf(...zones: readonly ServedZone[]): Zones & { readonly replace: (zone: ServedZone) => void } {
  const byName = new Map(zones.flatMap((zone) => zone.document.hostnames.map((name) => [name, zone] as const)));
  return {
    find: (authority) => {
      const host = authority.replace(/:\d*$/, '').toLowerCase();
      if (!hostname.test(host)) return byName.get('any') ?? 'invalid';
      return byName.get(host.replace(/\.$/, '')) ?? byName.get('any') ?? 'unknown';
    },
    replace: (zone) => zone.document.hostnames.forEach((name) => byName.set(name, zone)),
  };
}

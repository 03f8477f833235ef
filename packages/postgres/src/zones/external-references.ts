import {
  type BackendId,
  type BackendKind,
  type BackendOrigin,
  backendKind,
  type ExternalReferences,
  type HostNameRules,
  nameKey,
  type ResolvedReferences,
  type RuleId,
  type Zone,
} from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { many } from '../connection/query.ts';
import { sql } from '../sql.ts';
import { hostNameFacts } from './host-name-facts.ts';

/** An origin server of a backend; null for a load balancer without any. */
interface BackendRow {
  readonly kind: BackendKind;
  readonly id: BackendId;
  readonly revision: number;
  readonly originServer: BackendId | null;
  readonly originRevision: number | null;
  readonly addressKey: string | null;
  readonly enabled: boolean | null;
}

/** The zone with the requested name and tag. */
interface NamesakeRow {
  readonly kind: 'zone';
}

/** An id that no new rule can have. */
interface TakenRow {
  readonly kind: 'rule';
  readonly id: RuleId;
}

/** What a zone change refers to outside the zone, as of now. */
export function resolveReferences(
  on: Connection,
  hostNameRules: HostNameRules,
  zone: Pick<Zone, 'id' | 'organizationId'>,
  { backends, names, hostNames = [], rules = [] }: ExternalReferences,
): ResultAsync<ResolvedReferences, never> {
  const { id, organizationId: organization } = zone;
  const idsOf = (kind: BackendKind) => backends.filter((each) => backendKind(each) === kind).map((each) => each.id);
  return many<BackendRow | NamesakeRow | TakenRow>(on, sql.zoneChanges.outside, {
    organization,
    originServers: idsOf('origin_server'),
    loadBalancers: idsOf('load_balancer'),
    zone: id,
    nameKey: names === undefined ? null : nameKey(names.name),
    tag: names?.tag ?? null,
    rules: rules.map((claim) => claim.id),
    kinds: rules.map(({ kind }) => kind),
  }).andThen((rows) =>
    hostNameFacts(on, hostNameRules, zone, hostNames).map((facts) => ({
      hostNames: facts,
      ...foundIn(rows.filter((row) => row.kind !== 'zone' && row.kind !== 'rule')),
      isNameTaken: rows.some(({ kind }) => kind === 'zone'),
      takenRules: new Set(rows.flatMap((row) => (row.kind === 'rule' ? [row.id] : []))),
    })),
  );
}

function foundIn(rows: readonly BackendRow[]): Pick<ResolvedReferences, 'backends' | 'versions'> {
  const origins = {
    origin_server: new Map<BackendId, BackendOrigin[]>(),
    load_balancer: new Map<BackendId, BackendOrigin[]>(),
  };
  const versions = rows.flatMap(({ kind, id, revision, originServer, originRevision, addressKey, enabled }) => {
    const behind = origins[kind].get(id) ?? [];
    origins[kind].set(id, behind);
    if (addressKey !== null) behind.push({ addressKey, enabled: enabled ?? false });
    const own = { kind, id, revision };
    if (originServer === null || originRevision === null) return [own];
    return [own, { kind: 'origin_server' as const, id: originServer, revision: originRevision }];
  });
  return {
    backends: origins,
    versions: [...new Map(versions.map((each) => [`${each.kind} ${each.id}`, each])).values()],
  };
}

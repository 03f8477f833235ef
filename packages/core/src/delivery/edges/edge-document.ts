import { documentFormat } from '@zonewright/edge-protocol';
import { canonicalJson, utf8 } from '@zonewright/engine';
import type { BasicAuthUserId, OrganizationId } from '../../kernel/shared/ids.ts';
import { isJsonObject, type Json } from '../../kernel/shared/json.ts';
import type { Sha256 } from '../../kernel/shared/sha256.ts';
import type { BackendId } from '../../organizations/backends/backend-reference.ts';
import type { LoadBalancer } from '../../organizations/backends/load-balancer.ts';
import type { OriginServer } from '../../organizations/backends/origin-server.ts';
import type { HostName } from '../../organizations/domains/dns-names.ts';
import type { StoredBackends } from '../../zones/evaluation/backends.ts';
import { documentOf, type ZoneDocument } from '../../zones/history/zone-document.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';
import { checksFor, type DocumentChecks } from './edge-checks.ts';

/** How documents refer to resources: as the API does. */
export interface DocumentAddresses {
  organization(id: OrganizationId): string;
  originServer(server: { readonly organizationId: OrganizationId; readonly id: BackendId }): string;
}

/** All that an edge document is made of. */
export interface DocumentSources extends StoredBackends {
  readonly state: ZoneState;
  /** Those that are delivered. */
  readonly hostnames: readonly HostName[];
  readonly hashes: ReadonlyMap<BasicAuthUserId, string>;
}

/** The bytes of a document, as text, and their digest. */
export interface MadeDocument {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** Canonical JSON (RFC 8785). */
  readonly text: string;
}

/** What documents are made with. */
export interface DocumentMaking {
  readonly addresses: DocumentAddresses;
  readonly sha256: Sha256;
  readonly checks: DocumentChecks;
}

/** The edge document of a zone. Equal content has equal texts. */
export async function edgeDocument(
  sources: DocumentSources,
  { addresses, sha256, checks }: DocumentMaking,
): Promise<MadeDocument> {
  const { state, hostnames, hashes } = sources;
  const { zone, users } = state;
  const document = documentOf(state, users);
  const backends = backendsIn(document, sources, addresses);
  const made = await checksFor({ document, backends, hostnames }, sha256, checks);
  const content = {
    ...documentFormat,
    zone: { id: zone.id, name: zone.name, tag: zone.tag, organization: addresses.organization(zone.organizationId) },
    revision: zone.revision,
    hostnames,
    document,
    backends,
    basicAuthUsers: Object.fromEntries(
      users.flatMap(({ id, username }) => {
        const hash = hashes.get(id);
        return hash === undefined ? [] : [[id, { username, hash }]];
      }),
    ),
    checks: made.unwrapOr([]),
  };
  const text = canonicalJson(content);
  return { text, digest: `sha256:${sha256(utf8(text))}` };
}

/** The backends that a document names, and the origin servers of load balancers among them, as the API reads them. */
function backendsIn(
  document: ZoneDocument,
  { originServers, loadBalancers }: DocumentSources,
  addresses: DocumentAddresses,
): Readonly<Record<string, unknown>> {
  const named = new Set(backendIdsIn(document));
  const balancers = loadBalancers.filter(({ id }) => named.has(id));
  const needed = new Set([...named, ...balancers.flatMap(({ origins }) => origins.map((each) => each.originServer))]);
  return Object.fromEntries([
    ...originServers.filter(({ id }) => needed.has(id)).map((each) => [each.id, presentServer(each, addresses)]),
    ...balancers.map((each) => [each.id, presentBalancer(each, addresses)]),
  ]);
}

/** The ids in all settings that name a backend. */
function backendIdsIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(backendIdsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name !== 'defaultBackend' || !isJsonObject(member)) return backendIdsIn(member);
    return typeof member['id'] === 'string' ? [member['id']] : [];
  });
}

const common = (backend: OriginServer | LoadBalancer, addresses: DocumentAddresses) => ({
  id: backend.id,
  organization: addresses.organization(backend.organizationId),
  name: backend.name,
  requestHostname: backend.requestHostname,
  createdAt: backend.createdAt.toISOString(),
  updatedAt: backend.updatedAt.toISOString(),
});

const presentServer = (server: OriginServer, addresses: DocumentAddresses) => ({
  kind: 'origin_server',
  ...common(server, addresses),
  protocol: server.protocol,
  address: server.address,
  port: server.port,
});

const presentBalancer = (balancer: LoadBalancer, addresses: DocumentAddresses) => ({
  kind: 'load_balancer',
  ...common(balancer, addresses),
  method: balancer.method,
  origins: balancer.origins.map(({ originServer, weight, enabled }) => ({
    originServer: addresses.originServer({ organizationId: balancer.organizationId, id: originServer }),
    weight,
    enabled,
  })),
});

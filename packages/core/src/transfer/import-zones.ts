import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { BackendId } from '../backends/backend-reference.ts';
import { createLoadBalancer } from '../backends/create-load-balancer.ts';
import { createOriginServer } from '../backends/create-origin-server.ts';
import { LoadBalancerDraft } from '../backends/load-balancer.ts';
import { OriginServerDraft } from '../backends/origin-server.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { isJsonObject, type Json, type JsonObject } from '../shared/merge-patch.ts';
import { parse } from '../shared/parse.ts';
import { under } from '../shared/violation.ts';
import type { ImportDependencies, ImportTarget } from './import-target.ts';
import { type ImportedZone, type ImportZoneError, importZone } from './import-zone.ts';
import type { TransferDocument } from './transfer-document.ts';

/** What an import created. */
export interface ImportResult {
  readonly originServers: number;
  readonly loadBalancers: number;
  readonly zones: readonly ImportedZone[];
}

/** Any of the writes that make up an import was refused. */
export type ImportError = ImportZoneError | OrganizationAccessError;

/**
 * Imports zones of a document into an organization, with the backends it lacks, atomically: each part is validated and
 * recorded like a write of the caller. Backends are matched by id, and existing ones stay unchanged. Zones get new ids
 * and ban tokens. Basic-auth users get a hash that no password matches, until a password is set.
 */
export const importZones =
  (dependencies: ImportDependencies) =>
  (caller: Caller, organization: OrganizationId, document: TransferDocument): ResultAsync<ImportResult, ImportError> =>
    dependencies.unitOfWork.atomically(() =>
      safeTry(async function* () {
        const ids = new Map<string, string>();
        const target = { dependencies, caller, organization, ids };
        const origins = yield* importBackends(target, originServers, document.originServers);
        const balancers = yield* importBackends(target, loadBalancers, document.loadBalancers);
        const zones: ImportedZone[] = [];
        for (const [index, zone] of document.zones.entries()) {
          zones.push(yield* importZone(target, zone).mapErr(atPath(`zones[${index}]`)));
        }
        return ok({ originServers: origins, loadBalancers: balancers, zones });
      }),
    );

/** How to look up and create backends of one kind. */
interface ImportedBackendKind {
  readonly member: 'originServers' | 'loadBalancers';
  readonly exists: (target: ImportTarget, id: BackendId) => ResultAsync<boolean, never>;
  readonly create: (target: ImportTarget, written: JsonObject) => ResultAsync<{ readonly id: BackendId }, ImportError>;
}

const originServers: ImportedBackendKind = {
  member: 'originServers',
  exists: ({ dependencies: { unitOfWork }, organization }, id) =>
    found(unitOfWork.view((repositories) => repositories.originServers.byId(organization, id))),
  create: ({ dependencies, caller, organization }, written) =>
    parse(OriginServerDraft, written).asyncAndThen((draft) =>
      createOriginServer(dependencies)(caller, organization, draft),
    ),
};

const loadBalancers: ImportedBackendKind = {
  member: 'loadBalancers',
  exists: ({ dependencies: { unitOfWork }, organization }, id) =>
    found(unitOfWork.view((repositories) => repositories.loadBalancers.byId(organization, id))),
  create: ({ dependencies, caller, organization, ids }, written) =>
    parse(LoadBalancerDraft, { ...written, origins: withOriginIds(written['origins'] ?? [], ids) }).asyncAndThen(
      (draft) => createLoadBalancer(dependencies)(caller, organization, draft),
    ),
};

const found = (read: ResultAsync<unknown, unknown>): ResultAsync<boolean, never> =>
  read.map(() => true).orElse(() => ok(false));

/** A load balancer's origins with their new ids. */
const withOriginIds = (origins: Json, ids: ReadonlyMap<string, string>): Json =>
  Array.isArray(origins)
    ? origins.map((origin: Json) => {
        if (!isJsonObject(origin)) return origin;
        const id = origin['originServer'];
        return { ...origin, originServer: typeof id === 'string' ? (ids.get(id) ?? id) : (id ?? null) };
      })
    : origins;

/** Creates the backends the organization lacks; resolves to their number. */
const importBackends = (
  target: ImportTarget,
  { member, exists, create }: ImportedBackendKind,
  written: Readonly<Record<string, JsonObject>>,
): ResultAsync<number, ImportError> =>
  safeTry(async function* () {
    const { ids } = target;
    let created = 0;
    for (const [key, members] of Object.entries(written)) {
      if (yield* exists(target, BackendId.parse(key))) continue;
      const { id } = yield* create(target, members).mapErr(atPath(`${member}.${key}`));
      ids.set(key, id);
      created += 1;
    }
    return ok(created);
  });

/** Prefixes violation paths with the place of the part. */
const atPath =
  (at: string) =>
  (error: ImportError): ImportError =>
    error.type === 'InvalidInput' ? under(at)(error) : error;

import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import { isJsonList, isJsonObject, isSameJson, type Json, type JsonObject } from '../../kernel/shared/json.ts';
import { parse } from '../../kernel/shared/parse.ts';
import { nameKey } from '../../kernel/shared/text.ts';
import { type InvalidInput, invalidAt, under } from '../../kernel/shared/violation.ts';
import type { BackendName } from '../../organizations/backends/backend.ts';
import { BackendId } from '../../organizations/backends/backend-reference.ts';
import { LoadBalancerDraft, loadBalancerDocument } from '../../organizations/backends/load-balancer.ts';
import {
  type OriginServerDraft,
  originServerDocument,
  originServerDraftIn,
} from '../../organizations/backends/origin-server.ts';
import { createLoadBalancer } from '../../organizations/backends/write-load-balancer.ts';
import { createOriginServer } from '../../organizations/backends/write-origin-server.ts';
import type { OrganizationAccessError } from '../../organizations/organizations/organization-access.ts';
import type { ImportTarget } from './import-target.ts';

/** What an import did with a backend: one that the organization had, by id or name, stays unchanged. */
export interface ImportedBackend {
  readonly name: string;
  readonly outcome: 'created' | 'reused';
}

type ImportBackendError = OrganizationAccessError | InvalidInput;

type NamedBackend = { readonly name: BackendName };

/** How to compare and create backends of one kind. */
interface ImportedKind<Draft extends NamedBackend> {
  readonly member: 'originServers' | 'loadBalancers';
  /** The backends that the organization had before the import. */
  readonly present: (target: ImportTarget) => readonly (Draft & { readonly id: BackendId })[];
  readonly parse: (target: ImportTarget, written: JsonObject) => Result<Draft, InvalidInput>;
  /** The part that clients write. */
  readonly document: (backend: Draft) => JsonObject;
  readonly create: (target: ImportTarget, draft: Draft) => ResultAsync<{ readonly id: BackendId }, ImportBackendError>;
}

const originServers: ImportedKind<OriginServerDraft> = {
  member: 'originServers',
  present: ({ present }) => present.originServers,
  parse: ({ dependencies: { originNetworks } }, written) => parse(originServerDraftIn(originNetworks), written),
  document: originServerDocument,
  create: ({ dependencies, caller, organization }, draft) =>
    createOriginServer(dependencies)(caller, organization, originServerDocument(draft)),
};

const loadBalancers: ImportedKind<LoadBalancerDraft> = {
  member: 'loadBalancers',
  present: ({ present }) => present.loadBalancers,
  parse: ({ ids }, written) =>
    parse(LoadBalancerDraft, { ...written, origins: withOriginIds(written['origins'] ?? [], ids) }),
  document: loadBalancerDocument,
  create: ({ dependencies, caller, organization }, draft) =>
    createLoadBalancer(dependencies)(caller, organization, draft),
};

/** A load balancer's origins with their new ids. */
const withOriginIds = (origins: Json, ids: ReadonlyMap<string, string>): Json =>
  isJsonList(origins)
    ? origins.map((origin) => {
        if (!isJsonObject(origin)) return origin;
        const id = origin['originServer'];
        return { ...origin, originServer: typeof id === 'string' ? (ids.get(id) ?? id) : (id ?? null) };
      })
    : origins;

/** Imports the origin servers of a document, before the load balancers that refer to them. */
export const importOriginServers = (target: ImportTarget, written: WrittenBackends) =>
  importEach(target, originServers, written);
/** Imports the load balancers of a document. */
export const importLoadBalancers = (target: ImportTarget, written: WrittenBackends) =>
  importEach(target, loadBalancers, written);

/** Backends of a document by their ids in it. */
type WrittenBackends = Readonly<Record<string, JsonObject>>;

/** Finds or creates each backend, and keeps the ids that differ from those of the document. */
const importEach = <Draft extends NamedBackend>(
  target: ImportTarget,
  kind: ImportedKind<Draft>,
  written: WrittenBackends,
): ResultAsync<readonly ImportedBackend[], ImportBackendError> =>
  safeTry(async function* () {
    const imported: ImportedBackend[] = [];
    for (const [key, members] of Object.entries(written)) {
      imported.push(yield* importOne(target, kind, BackendId.parse(key), members).mapErr(at(`${kind.member}.${key}`)));
    }
    return ok(imported);
  });

const importOne = <Draft extends NamedBackend>(
  target: ImportTarget,
  kind: ImportedKind<Draft>,
  key: BackendId,
  members: JsonObject,
): ResultAsync<ImportedBackend, ImportBackendError> =>
  safeTry(async function* () {
    const sameId = kind.present(target).find(({ id }) => id === key);
    if (sameId !== undefined) return ok({ name: sameId.name, outcome: 'reused' as const });
    const draft = yield* kind.parse(target, members);
    const { name } = draft;
    const namesake = kind.present(target).find((backend) => nameKey(backend.name) === nameKey(name));
    if (namesake === undefined || !target.options.reuseBackends) {
      const { id } = yield* kind.create(target, draft);
      return known(target, key, id, { name, outcome: 'created' });
    }
    if (!isSameJson(kind.document(draft), kind.document(namesake))) return err(differs(name));
    return known(target, key, namesake.id, { name, outcome: 'reused' });
  });

/** Keeps the new id of a backend. */
const known = (
  { ids }: ImportTarget,
  key: BackendId,
  id: BackendId,
  imported: ImportedBackend,
): Result<ImportedBackend, never> => {
  ids.set(key, id);
  return ok(imported);
};

const differs = (name: string): InvalidInput =>
  invalidAt(
    'name',
    'import.backend.differs',
    `The organization has another backend with the name ${JSON.stringify(name)}: its address or another member differs.`,
  );

/** Prefixes violation paths with the place of the part. */
const at =
  (place: string) =>
  (error: ImportBackendError): ImportBackendError =>
    error.type === 'InvalidInput' ? under(place)(error) : error;

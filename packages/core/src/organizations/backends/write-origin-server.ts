import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import { type JsonObject, mergePatch } from '../../kernel/shared/json.ts';
import { parseDocument } from '../../kernel/shared/parse.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import {
  type InvalidInput,
  invalidInput,
  requireNone,
  type Violation,
  violation,
} from '../../kernel/shared/violation.ts';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { OriginNetworks } from './address.ts';
import { addressKey } from './address.ts';
import { backendVersion } from './backend.ts';
import { BackendId } from './backend-reference.ts';
import { breaksUsers, isSameDocument, lockForNewBackend, mayWriteBackends, requireOwnUsers } from './backend-write.ts';
import type { BackendUsedElsewhere, OriginServerNotFound } from './errors.ts';
import {
  type OriginServer,
  originServerDocument,
  originServerDraftIn,
  type WrittenOriginServer,
} from './origin-server.ts';
import type { OriginServerClash } from './ports.ts';
import type { BackendRepositories } from './repositories.ts';

/** Adds an origin server to an organization. */
export const createOriginServer =
  ({
    unitOfWork,
    randomness,
    originNetworks,
  }: Pick<Dependencies<BackendRepositories>, 'unitOfWork' | 'randomness'> & {
    readonly originNetworks: OriginNetworks;
  }) =>
  (
    caller: Caller,
    organizationId: OrganizationId,
    members: JsonObject,
  ): ResultAsync<OriginServer, OrganizationAccessError | InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* lockForNewBackend(repositories, caller, organizationId);
        const draft = yield* parseDocument(originServerDraftIn(originNetworks), members);
        const written = { id: BackendId.parse(randomness.uuid()), organizationId, ...draft };
        yield* requireNone((yield* repositories.originServers.clashes(written)).map(clashViolation));
        const stamp = yield* repositories.originServers.add(written, caller.userId).mapErr(originServerClashed);
        const objects = { originServer: written.id };
        yield* record(repositories, caller, 'originServer.created', { organization: organizationId, objects });
        return ok({ ...written, ...stamp });
      }),
    );

export type UpdateOriginServerError =
  | OrganizationAccessError
  | OriginServerNotFound
  | BackendUsedElsewhere
  | VersionMismatch
  | InvalidInput;

/** Applies a merge patch (RFC 7396) to an origin server. A patch that changes nothing leaves no trace. */
export const updateOriginServer =
  ({
    unitOfWork,
    originNetworks,
  }: {
    readonly unitOfWork: UnitOfWork<BackendRepositories>;
    readonly originNetworks: OriginNetworks;
  }) =>
  (
    caller: Caller,
    organizationId: OrganizationId,
    id: BackendId,
    patch: JsonObject,
    expected: ExpectedVersions,
  ): ResultAsync<OriginServer, UpdateOriginServerError> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* mayWriteBackends(repositories, caller, organizationId);
        const current = yield* repositories.originServers.lock(organizationId, id);
        yield* requireOwnUsers(repositories, caller, id);
        yield* requireVersion(expected, backendVersion(current));
        const before = originServerDocument(current);
        const draft = yield* parseDocument(originServerDraftIn(originNetworks), mergePatch(before, patch));
        if (isSameDocument(before, originServerDocument(draft))) return ok(current);
        const written = { id, organizationId, ...draft };
        yield* requireValidOriginServerChange(repositories, current, written);
        const stamp = yield* repositories.originServers.save(written, caller.userId).mapErr(originServerClashed);
        const objects = { originServer: id };
        yield* record(repositories, caller, 'originServer.changed', { organization: organizationId, objects });
        return ok({ ...written, ...stamp });
      }),
    );

/** Rejects a change of a locked origin server that clashes with another one or breaks what uses it. */
const requireValidOriginServerChange = (
  repositories: BackendRepositories,
  current: OriginServer,
  changed: WrittenOriginServer,
): ResultAsync<void, InvalidInput> =>
  repositories.originServers
    .clashes(changed)
    .andThen((clashes) =>
      loopViolations(repositories, current, changed).map((loops) => [...clashes.map(clashViolation), ...loops]),
    )
    .andThen(requireNone);

/** A violation for a clash that only storage detected. */
const originServerClashed = (clash: OriginServerClash): InvalidInput => invalidInput([clashViolation(clash)]);

function clashViolation(clash: OriginServerClash): Violation {
  switch (clash.type) {
    case 'BackendNameTaken':
      return violation(
        'name',
        'originServer.name.duplicate',
        'Another origin server in the organization already has this name.',
      );
    case 'OriginAddressTaken':
      return violation(
        'address',
        'originServer.address.duplicate',
        'Another origin server in the organization already has this address and port.',
      );
  }
}

/** Violations for zones that would send requests to themselves, directly or through a load balancer. */
const loopViolations = (
  { backends }: Pick<BackendRepositories, 'backends'>,
  current: OriginServer,
  { id, address }: WrittenOriginServer,
): ResultAsync<readonly Violation[], never> => {
  const key = addressKey(address);
  if (key === addressKey(current.address)) return okAsync([]);
  // Locked, so that a unit that starts using one of them meanwhile sees the new address.
  return backends
    .lockLoadBalancersWith(id)
    .andThen((balancers) => backends.users([id, ...balancers], { hosts: [key] }))
    .map((users) => breaksUsers('address', 'With this address, requests that the zone answers would loop.', users));
};

import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import { type JsonObject, mergePatch } from '../../kernel/shared/json.ts';
import { parseDocument } from '../../kernel/shared/parse.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import {
  type InvalidInput,
  invalidAt,
  invalidInput,
  requireNone,
  type Violation,
  violation,
} from '../../kernel/shared/violation.ts';
import type { UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import { backendVersion } from './backend.ts';
import { BackendId } from './backend-reference.ts';
import { breaksUsers, isSameDocument, lockForNewBackend, mayWriteBackends, requireOwnUsers } from './backend-write.ts';
import type { BackendUsedElsewhere, LoadBalancerNotFound } from './errors.ts';
import {
  type LoadBalancer,
  LoadBalancerDraft,
  type LoadBalancerOrigin,
  loadBalancerDocument,
  originsNamedIn,
  unknownOrigin,
  type WrittenLoadBalancer,
} from './load-balancer.ts';
import type { PresentBackends } from './ports.ts';
import type { BackendRepositories } from './repositories.ts';

/** Adds a load balancer over origin servers of the same organization. */
export const createLoadBalancer =
  ({ unitOfWork, randomness }: Pick<Dependencies<BackendRepositories>, 'unitOfWork' | 'randomness'>) =>
  (
    caller: Caller,
    organizationId: OrganizationId,
    draft: LoadBalancerDraft,
  ): ResultAsync<LoadBalancer, OrganizationAccessError | InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { limits } = yield* lockForNewBackend(repositories, caller, organizationId);
        yield* requireRoomForOrigins(limits, draft);
        const written = { id: BackendId.parse(randomness.uuid()), organizationId, ...draft };
        const named = draft.origins.map(({ originServer }) => originServer);
        const locked = yield* lockOriginServers(repositories, organizationId, named);
        const clashes = yield* repositories.loadBalancers.clashes(written);
        yield* requireNone([...clashes.map(clashViolation), ...unknownOrigins(draft.origins, locked)]);
        const stamp = yield* repositories.loadBalancers.add(written, caller.userId).mapErr(loadBalancerClashed);
        const objects = { loadBalancer: written.id };
        yield* record(repositories, caller, 'loadBalancer.created', { organization: organizationId, objects });
        return ok({ ...written, ...stamp });
      }),
    );

export type UpdateLoadBalancerError =
  | OrganizationAccessError
  | LoadBalancerNotFound
  | BackendUsedElsewhere
  | VersionMismatch
  | InvalidInput;

/**
 * Applies a merge patch (RFC 7396) to a load balancer; a list of origins replaces the previous one. A patch that
 * changes nothing leaves no trace.
 */
export const updateLoadBalancer =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<BackendRepositories> }) =>
  (
    caller: Caller,
    organizationId: OrganizationId,
    id: BackendId,
    patch: JsonObject,
    expected: ExpectedVersions,
  ): ResultAsync<LoadBalancer, UpdateLoadBalancerError> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { loadBalancers } = repositories;
        const { limits } = yield* mayWriteBackends(repositories, caller, organizationId);
        const locked = yield* lockOriginServers(repositories, organizationId, originsNamedIn(patch));
        const current = yield* loadBalancers.lock(organizationId, id);
        yield* requireOwnUsers(repositories, caller, id);
        yield* requireVersion(expected, backendVersion(current));
        const before = loadBalancerDocument(current);
        const draft = yield* parseDocument(LoadBalancerDraft, mergePatch(before, patch));
        const after = loadBalancerDocument(draft);
        if (isSameDocument(before, after)) return ok(current);
        yield* requireRoomForOrigins(limits, draft, current.origins.length);
        const originsChange = !isSameDocument(before.origins, after.origins);
        const written = { id, organizationId, ...draft };
        yield* requireValidLoadBalancerChange(repositories, written, { originsChange, locked });
        // Unchanged origins are not written: that would lock origin servers after the load balancer, against the lock
        // order.
        const change = { author: caller.userId, originsChange };
        const stamp = yield* loadBalancers.save(written, change).mapErr(loadBalancerClashed);
        const objects = { loadBalancer: id };
        yield* record(repositories, caller, 'loadBalancer.changed', { organization: organizationId, objects });
        return ok({ ...written, ...stamp });
      }),
    );

/** Origin servers that the unit has locked, by id. */
type LockedOriginServers = PresentBackends['origin_server'];

/** Locks the origin servers that exist in the organization until the unit ends. */
const lockOriginServers = (
  { backends }: Pick<BackendRepositories, 'backends'>,
  organization: OrganizationId,
  ids: readonly BackendId[],
): ResultAsync<LockedOriginServers, never> =>
  backends
    .lockPresent(
      organization,
      ids.map((id) => ({ type: 'origin_server', id })),
    )
    .map(({ origin_server }) => origin_server);

/** Rejects a change of a locked load balancer that takes a used name, adds unknown origins or breaks what uses it. */
const requireValidLoadBalancerChange = (
  repositories: BackendRepositories,
  changed: WrittenLoadBalancer,
  { originsChange, locked }: { readonly originsChange: boolean; readonly locked: LockedOriginServers },
): ResultAsync<void, InvalidInput> =>
  safeTry(async function* () {
    const clashes = yield* repositories.loadBalancers.clashes(changed);
    const unknown = originsChange ? unknownOrigins(changed.origins, locked) : [];
    const breaking = originsChange ? yield* breakingOrigins(repositories, changed, locked) : [];
    return requireNone([...clashes.map(clashViolation), ...unknown, ...breaking]);
  });

/**
 * Rejects more origins than a load balancer may have. One that is already above the limit may keep its number of
 * origins.
 */
const requireRoomForOrigins = (
  { origins: limit }: UsageLimits,
  wanted: Pick<LoadBalancerDraft, 'origins'>,
  held = 0,
): Result<void, InvalidInput> =>
  wanted.origins.length > Math.max(limit, held)
    ? err(invalidAt('origins', 'list.tooLong', `This value should have at most ${limit} entries.`))
    : ok();

/** A violation for a clash that only storage detected. */
const loadBalancerClashed = (): InvalidInput => invalidInput([clashViolation()]);

const clashViolation = (): Violation =>
  violation('name', 'loadBalancer.name.duplicate', 'Another load balancer in the organization already has this name.');

const unknownOrigins = (origins: readonly LoadBalancerOrigin[], locked: LockedOriginServers): readonly Violation[] =>
  origins.flatMap(({ originServer }, index) =>
    locked.has(originServer)
      ? []
      : [violation(`origins[${index}].originServer`, unknownOrigin.code, unknownOrigin.message)],
  );

/** The conflicts that these origins cause for zones and rules using the load balancer. */
const breakingOrigins = (
  { backends }: Pick<BackendRepositories, 'backends'>,
  { id, origins }: WrittenLoadBalancer,
  locked: LockedOriginServers,
): ResultAsync<readonly Violation[], never> =>
  safeTry(async function* () {
    const isIdle = origins.every(({ enabled }) => !enabled);
    const without = isIdle ? yield* backends.users([id]) : [];
    const looping = yield* backends.users([id], {
      hosts: [...locked.values()].flat().map(({ addressKey }) => addressKey),
    });
    return ok([
      ...breaksUsers('origins', 'A load balancer in use needs an enabled origin.', without),
      ...breaksUsers('origins', 'With this origin, requests that the zone answers would loop.', looping),
    ]);
  });

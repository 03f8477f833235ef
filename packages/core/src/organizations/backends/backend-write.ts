import { err, ok, okAsync, type ResultAsync } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import { type InvalidInput, invalidAt, type Violation, violation } from '../../kernel/shared/violation.ts';
import { fullMessage, type UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../access/caller.ts';
import { lockedMayIn, zonesOf } from '../access/permissions.ts';
import type { Organization } from '../organizations/organization.ts';
import { lockOrganizationFor, type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { BackendId } from './backend-reference.ts';
import { type BackendUser, namesOfUsers } from './backend-user.ts';
import { type BackendInUse, type BackendUsedElsewhere, backendInUse, backendUsedElsewhere } from './errors.ts';
import type { BackendRepositories } from './repositories.ts';

/** Locks the organization to add a backend, so that two concurrent additions cannot both take the last free slot. */
export const lockForNewBackend = (
  repositories: BackendRepositories,
  caller: Caller,
  organization: OrganizationId,
): ResultAsync<Organization, OrganizationAccessError | InvalidInput> =>
  lockOrganizationFor(repositories, caller, organization, 'backends.write').andThen((locked) =>
    repositories.backends
      .count(organization)
      .andThen((count) => (count < locked.limits.backends ? ok(locked) : err(tooManyBackends(locked.limits)))),
  );

const tooManyBackends = ({ backends }: UsageLimits) =>
  invalidAt(
    '',
    'organization.backends.limit',
    fullMessage('An organization', backends, 'origin servers and load balancers'),
  );

/** Refuses to delete a locked backend that is in use. */
export const requireUnused = (
  { backends }: Pick<BackendRepositories, 'backends'>,
  id: BackendId,
): ResultAsync<void, BackendInUse> =>
  backends.users([id]).andThen((users) => (users.length > 0 ? err(backendInUse(users)) : ok()));

/**
 * Refuses to change a locked backend for an API token that is limited to some zones if others use it, directly or through
 * a load balancer. So no limited token learns about users that it cannot see, or changes where their requests go.
 */
export const requireOwnUsers = (
  { backends }: Pick<BackendRepositories, 'backends'>,
  caller: Caller,
  id: BackendId,
): ResultAsync<void, BackendUsedElsewhere> => {
  const zones = zonesOf(caller);
  if (zones === undefined) return okAsync();
  return backends
    .lockLoadBalancersWith(id)
    .andThen((balancers) => backends.areUsedOutside([id, ...balancers], zones))
    .andThen((isUsed) => (isUsed ? err(backendUsedElsewhere()) : ok()));
};

/** The conflicts that a change causes for users of the backend, reported at the changed member. */
export const breaksUsers = (member: string, reason: string, users: readonly BackendUser[]): readonly Violation[] =>
  users.length === 0 ? [] : [violation(member, 'backend.inUse', `${reason} It is used by ${namesOfUsers(users)}.`)];

/** Whether two documents are equal; their members must be in the same order. */
export const isSameDocument = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Checks that the caller may change an existing backend, for the rest of the unit. The organization is not locked, so
 * rules of its zones can be written concurrently.
 */
export const mayWriteBackends = (
  repositories: BackendRepositories,
  caller: Caller,
  organization: OrganizationId,
): ResultAsync<Organization, OrganizationAccessError> =>
  repositories.organizations
    .byId(organization)
    .andThrough(() => lockedMayIn(repositories, caller, organization, 'backends.write'));

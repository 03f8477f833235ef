import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { lockedMayIn, mayIn } from '../access/permissions.ts';
import type { Organization } from '../organizations/organization.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Repositories } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';

/** Checks that the caller may read the backends of an organization. */
export const mayReadBackends = (
  { organizations }: Repositories,
  caller: Caller,
  organization: OrganizationId,
): ResultAsync<void, OrganizationAccessError> =>
  organizations
    .byId(organization)
    .andThen(() => mayIn(caller, organization, 'backends.read'))
    .map(() => undefined);

/**
 * Checks that the caller may change an existing backend, for the rest of the unit. The organization is not locked, so
 * rules of its zones can be written concurrently.
 */
export const mayWriteBackends = (
  repositories: Repositories,
  caller: Caller,
  organization: OrganizationId,
): ResultAsync<Organization, OrganizationAccessError> =>
  repositories.organizations
    .byId(organization)
    .andThrough(() => lockedMayIn(repositories, caller, organization, 'backends.write'));

import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Organization } from './organization.ts';
import { type OrganizationAccessError } from './organization-access.ts';

/** One organization the caller belongs to. */
export const readOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: Caller, id: OrganizationId): ResultAsync<Organization, OrganizationAccessError> =>
    unitOfWork
      .view(({ organizations }) => organizations.byId(id))
      .andThen((organization) => mayIn(caller, id, 'organization.read').map(() => organization));

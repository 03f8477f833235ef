import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Usage } from '../usage-limits/usage-limits.ts';
import type { Organization } from './organization.ts';
import { type OrganizationAccessError } from './organization-access.ts';

/** An organization with what it stores, in bytes. */
export interface OrganizationDetails extends Organization {
  readonly storage: Usage;
}

/** One organization the caller belongs to. */
export const readOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: Caller, id: OrganizationId): ResultAsync<OrganizationDetails, OrganizationAccessError> =>
    unitOfWork.view(({ organizations, storageQuotas }) =>
      organizations
        .byId(id)
        .andThrough(() => mayIn(caller, id, 'organization.read'))
        .andThen((organization) => storageQuotas.of(id).map((storage) => ({ ...organization, storage }))),
    );

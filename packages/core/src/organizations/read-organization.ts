import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Usage } from '../usage-limits/usage-limits.ts';
import type { Organization } from './organization.ts';
import { type OrganizationAccessError, permittedOrganization } from './organization-access.ts';

/** An organization with what it stores, in bytes. */
export interface OrganizationDetails extends Organization {
  readonly storage: Usage;
}

/** One organization the caller belongs to. */
export const readOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: Caller, id: OrganizationId): ResultAsync<OrganizationDetails, OrganizationAccessError> =>
    unitOfWork.view((repositories) =>
      permittedOrganization(repositories, caller, id, 'organization.read').andThen((organization) =>
        repositories.storageQuotas.of(id).map((storage) => ({ ...organization, storage })),
      ),
    );

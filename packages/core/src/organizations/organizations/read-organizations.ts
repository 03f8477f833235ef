import type { ResultAsync } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Usage } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../access/caller.ts';
import { type CredentialDenied, requireCredentialAllows } from '../access/permissions.ts';
import type { Organization } from './organization.ts';
import { type OrganizationAccessError, permittedOrganization } from './organization-access.ts';
import type { Organizations, StorageQuotas } from './ports.ts';

interface Repositories {
  readonly organizations: Organizations;
  readonly storageQuotas: StorageQuotas;
}

/** The caller's organizations by name, including those whose two-factor requirement they do not meet. */
export const listOrganizations =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (caller: Caller, page: PageRequest): ResultAsync<Page<Organization>, CredentialDenied> =>
    requireCredentialAllows(caller.credential, 'organization.read').asyncAndThen(() =>
      unitOfWork.view(({ organizations }) => organizations.list([...caller.memberships.keys()], page)),
    );

/** An organization with what it stores, in bytes. */
export interface OrganizationDetails extends Organization {
  readonly storage: Usage;
}

/** One organization the caller belongs to. */
export const readOrganization =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (caller: Caller, id: OrganizationId): ResultAsync<OrganizationDetails, OrganizationAccessError> =>
    unitOfWork.view((repositories) =>
      permittedOrganization(repositories, caller, id, 'organization.read').andThen((organization) =>
        repositories.storageQuotas.of(id).map((storage) => ({ ...organization, storage })),
      ),
    );

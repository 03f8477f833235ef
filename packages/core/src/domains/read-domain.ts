import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import type { Permission } from '../access/role.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { DomainId, OrganizationId } from '../shared/ids.ts';
import type { Domain } from './domain.ts';
import type { DomainNotFound } from './errors.ts';

/** No such domain, or the caller may not see the organization. */
export type DomainAccessError = OrganizationAccessError | DomainNotFound;

/** A domain in which the caller has the permission. */
export const permittedDomain = (
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  caller: Caller,
  { organization, id }: { readonly organization: OrganizationId; readonly id: DomainId },
  permission: Permission,
): ResultAsync<Domain, DomainAccessError> =>
  unitOfWork.view(({ organizations, domains }) =>
    organizations
      .byId(organization)
      .andThen(() => mayIn(caller, organization, permission))
      .andThen(() => domains.byId(organization, id)),
  );

/** One domain of an organization, for its members. */
export const readDomain =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: Caller, organization: OrganizationId, id: DomainId): ResultAsync<Domain, DomainAccessError> =>
    permittedDomain({ unitOfWork }, caller, { organization, id }, 'organization.read');

import type { ResultAsync } from 'neverthrow';
import type { DomainId, OrganizationId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../access/caller.ts';
import type { Permission } from '../access/role.ts';
import { type OrganizationAccessError, permittedOrganization } from '../organizations/organization-access.ts';
import type { Domain } from './domain.ts';
import type { DomainNotFound } from './errors.ts';
import type { DomainRepositories } from './repositories.ts';

/** No such domain, or the caller may not see the organization. */
export type DomainAccessError = OrganizationAccessError | DomainNotFound;

/** All domains of an organization, for its members. */
export const listDomains =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<DomainRepositories> }) =>
  (caller: Caller, id: OrganizationId, page: PageRequest): ResultAsync<Page<Domain>, OrganizationAccessError> =>
    unitOfWork.view((repositories) =>
      permittedOrganization(repositories, caller, id, 'organization.read').andThen(() =>
        repositories.domains.list(id, page),
      ),
    );

/** A domain in which the caller has the permission. */
export const permittedDomain = (
  { unitOfWork }: { readonly unitOfWork: UnitOfWork<DomainRepositories> },
  caller: Caller,
  { organization, id }: { readonly organization: OrganizationId; readonly id: DomainId },
  permission: Permission,
): ResultAsync<Domain, DomainAccessError> =>
  unitOfWork.view((repositories) =>
    permittedOrganization(repositories, caller, organization, permission).andThen(() =>
      repositories.domains.byId(organization, id),
    ),
  );

/** One domain of an organization, for its members. */
export const readDomain =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<DomainRepositories> }) =>
  (caller: Caller, organization: OrganizationId, id: DomainId): ResultAsync<Domain, DomainAccessError> =>
    permittedDomain({ unitOfWork }, caller, { organization, id }, 'organization.read');

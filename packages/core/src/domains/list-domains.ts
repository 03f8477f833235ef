import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { Domain } from './domain.ts';

/** All domains of an organization, for its members. */
export const listDomains =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    page: PageRequest,
  ): ResultAsync<Page<Domain>, OrganizationAccessError> =>
    unitOfWork.view(({ organizations, domains }) =>
      organizations
        .byId(organization)
        .andThen(() => mayIn(caller, organization, 'organization.read'))
        .andThen(() => domains.list(organization, page)),
    );

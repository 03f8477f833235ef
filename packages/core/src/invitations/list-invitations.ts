import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import { type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { Invitation } from './invitation.ts';

/** All invitations of an organization, including ended ones, newest first. */
export const listInvitations =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    page: PageRequest,
  ): ResultAsync<Page<Invitation>, OrganizationAccessError> =>
    unitOfWork.view(({ organizations, invitations }) =>
      organizations
        .byId(organization)
        .andThen(() => mayIn(caller, organization, 'invitations.read'))
        .andThen(() => invitations.list(organization, page)),
    );

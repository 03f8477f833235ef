import type { ResultAsync } from 'neverthrow';
import type { InvitationId, OrganizationId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../access/caller.ts';
import { type OrganizationAccessError, permittedOrganization } from '../organizations/organization-access.ts';
import type { InvitationNotFound } from './errors.ts';
import type { Invitation } from './invitation.ts';
import type { InvitationRepositories } from './repositories.ts';

/** All invitations of an organization, including ended ones, newest first. */
export const listInvitations =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<InvitationRepositories> }) =>
  (caller: Caller, id: OrganizationId, page: PageRequest): ResultAsync<Page<Invitation>, OrganizationAccessError> =>
    unitOfWork.view((repositories) =>
      permittedOrganization(repositories, caller, id, 'invitations.read').andThen(() =>
        repositories.invitations.list(id, page),
      ),
    );

/** One invitation of an organization, pending or ended. */
export const readInvitation =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<InvitationRepositories> }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: InvitationId,
  ): ResultAsync<Invitation, OrganizationAccessError | InvitationNotFound> =>
    unitOfWork.view((repositories) =>
      permittedOrganization(repositories, caller, organization, 'invitations.read').andThen(() =>
        repositories.invitations.byId(organization, id),
      ),
    );

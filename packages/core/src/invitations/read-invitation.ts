import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import { type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { InvitationId, OrganizationId } from '../shared/ids.ts';
import type { InvitationNotFound } from './errors.ts';
import type { Invitation } from './invitation.ts';

/** One invitation of an organization, pending or ended. */
export const readInvitation =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: InvitationId,
  ): ResultAsync<Invitation, OrganizationAccessError | InvitationNotFound> =>
    unitOfWork.view(({ organizations, invitations }) =>
      organizations
        .byId(organization)
        .andThen(() => mayIn(caller, organization, 'invitations.read'))
        .andThen(() => invitations.byId(organization, id)),
    );

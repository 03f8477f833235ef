import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { lockedMayIn } from '../access/permissions.ts';
import { permissionToManage } from '../access/role.ts';
import { record } from '../audit/record.ts';
import { MailedToken } from '../mail/mailed-token.ts';
import { tooManyMembers } from '../organizations/organization.ts';
import { lockOrganizationFor, type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Dependencies } from '../repositories.ts';
import { InvitationId, type OrganizationId } from '../shared/ids.ts';
import type { InvalidInput } from '../shared/violation.ts';
import type { InvitationPending } from './errors.ts';
import { type Invitation, type InvitationDraft, invitationLifetimeSeconds } from './invitation.ts';
import { queueInvitation } from './queue-invitation.ts';

/**
 * Invites an address by mail, with a role no higher than the inviter's own; API tokens cannot invite owners or admins.
 */
export const createInvitation =
  ({ unitOfWork, randomness, tokenHashes }: Pick<Dependencies, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
  (
    caller: Caller,
    organizationId: OrganizationId,
    { email, role }: InvitationDraft,
  ): ResultAsync<Invitation, OrganizationAccessError | InvitationPending | InvalidInput> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { invitations, members } = repositories;
        const { name, limits } = yield* lockOrganizationFor(repositories, caller, organizationId, 'members.manage');
        yield* lockedMayIn(repositories, caller, organizationId, permissionToManage(role));
        const memberCount = yield* members.count(organizationId);
        const invited = yield* invitations.pendingCount(organizationId);
        if (memberCount + invited >= limits.members) return err(tooManyMembers(limits));
        const token = MailedToken.parse(randomness.token());
        const invitation = yield* invitations.add({
          id: InvitationId.parse(randomness.uuid()),
          organizationId,
          email,
          role,
          invitedBy: caller.userId,
          hash: tokenHashes.of(token),
          lifetimeSeconds: invitationLifetimeSeconds,
        });
        yield* queueInvitation(repositories, { to: email, token, organization: name, role, inviter: caller.userId });
        const objects = { invitation: invitation.id, role };
        yield* record(repositories, caller, 'invitation.created', { organization: organizationId, objects });
        return ok(invitation);
      }),
    );

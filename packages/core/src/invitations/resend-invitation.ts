import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { lockedMayIn } from '../access/permissions.ts';
import { permissionToManage } from '../access/role.ts';
import { record } from '../audit/record.ts';
import { MailedToken } from '../mail/mailed-token.ts';
import { lockOrganizationFor, type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Dependencies } from '../repositories.ts';
import type { InvitationId, OrganizationId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import {
  type InvitationEnded,
  type InvitationNotFound,
  type InvitationResendLimit,
  invitationEnded,
  invitationResendLimit,
} from './errors.ts';
import { type Invitation, invitationLifetimeSeconds, invitationVersion, resendsPerInvitation } from './invitation.ts';
import { queueInvitation } from './queue-invitation.ts';

export type ResendInvitationError =
  | OrganizationAccessError
  | InvitationNotFound
  | VersionMismatch
  | InvitationEnded
  | InvitationResendLimit;

/**
 * Resends a pending invitation with a new token and lifetime; the previous token becomes invalid. Needs the same
 * permission as inviting, and makes the caller the inviter.
 */
export const resendInvitation =
  ({ unitOfWork, randomness, tokenHashes }: Pick<Dependencies, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: InvitationId,
    expected: ExpectedVersions,
  ): ResultAsync<Invitation, ResendInvitationError> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { invitations } = repositories;
        const { name } = yield* lockOrganizationFor(repositories, caller, organization, 'members.manage');
        const current = yield* invitations.byId(organization, id);
        yield* lockedMayIn(repositories, caller, organization, permissionToManage(current.role));
        yield* requireVersion(expected, invitationVersion(current));
        if (current.status !== 'pending') return err(invitationEnded());
        if (current.resends >= resendsPerInvitation) return err(invitationResendLimit());
        const token = MailedToken.parse(randomness.token());
        const renewed = yield* invitations.renew(id, {
          hash: tokenHashes.of(token),
          lifetimeSeconds: invitationLifetimeSeconds,
          invitedBy: caller.userId,
        });
        const { email: to, role } = renewed;
        yield* queueInvitation(repositories, { to, token, organization: name, role, inviter: caller.userId });
        yield* record(repositories, caller, 'invitation.resent', { organization, objects: { invitation: id } });
        return ok(renewed);
      }),
    );

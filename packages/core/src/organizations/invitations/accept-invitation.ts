import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import { emailKey } from '../../kernel/mail/email.ts';
import type { MailedToken } from '../../kernel/mail/mailed-token.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { SessionCaller } from '../access/caller.ts';
import type { AccountNotFound } from '../access/errors.ts';
import { permissionToManage, permits } from '../access/role.ts';
import { record } from '../audit/record.ts';
import type { OrganizationNotFound } from '../organizations/errors.ts';
import type { Member } from '../organizations/member.ts';
import { tooManyMembers } from '../organizations/organization.ts';
import {
  type InvitationForAnother,
  type InvitationTokenInvalid,
  invitationForAnother,
  invitationTokenInvalid,
} from './errors.ts';
import type { SentInvitation } from './invitation.ts';
import type { InvitationRepositories } from './repositories.ts';

export type AcceptInvitationError =
  | InvitationTokenInvalid
  | InvitationForAnother
  | InvalidInput
  | AccountNotFound
  | OrganizationNotFound;

/**
 * Joins the organization of an invitation sent to the caller's own verified address. For someone who is already a
 * member, this only uses up the token.
 */
export const acceptInvitation =
  ({ unitOfWork, tokenHashes }: Pick<Dependencies<InvitationRepositories>, 'unitOfWork' | 'tokenHashes'>) =>
  (caller: SessionCaller, token: MailedToken): ResultAsync<Member, AcceptInvitationError> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { people, invitationTokens, organizations, members, memberships } = repositories;
        const hash = tokenHashes.of(token);
        const invitation = yield* invitationTokens.byHash(hash);
        const { id, organizationId, email, role } = invitation;
        const person = yield* people.byId(caller.userId);
        if (emailKey(person.email) !== emailKey(email)) return err(invitationForAnother());
        const { limits } = yield* organizations.lock(organizationId);
        yield* invitationTokens.accept(hash);
        yield* requireEntitledInviter(repositories, invitation);
        const membership = yield* memberships.lock(organizationId, caller.userId);
        const memberCount = yield* members.count(organizationId);
        if (membership === undefined && memberCount >= limits.members) return err(tooManyMembers(limits));
        const member = yield* members.add(organizationId, caller.userId, role);
        yield* record(repositories, caller, 'invitation.accepted', {
          organization: organizationId,
          objects: { invitation: id },
        });
        return ok({ ...member, twoFactorEnabled: undefined });
      }),
    );

/**
 * An invitation is only valid while its inviter may still send it. A two-factor requirement the inviter does not meet
 * only suspends that right.
 */
const requireEntitledInviter = (
  { memberships }: Pick<InvitationRepositories, 'memberships'>,
  { organizationId, invitedBy, role }: SentInvitation,
): ResultAsync<void, InvitationTokenInvalid> =>
  memberships
    .lock(organizationId, invitedBy)
    .andThen((inviter) =>
      inviter !== undefined && permits(inviter.role, permissionToManage(role)) ? ok() : err(invitationTokenInvalid()),
    );

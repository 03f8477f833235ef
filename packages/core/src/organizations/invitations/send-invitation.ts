import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import { MailedToken } from '../../kernel/mail/mailed-token.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { InvitationId, type OrganizationId } from '../../kernel/shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../access/caller.ts';
import { lockedMayIn } from '../access/permissions.ts';
import { permissionToManage } from '../access/role.ts';
import { record } from '../audit/record.ts';
import { type OrganizationName, tooManyMembers } from '../organizations/organization.ts';
import { lockOrganizationFor, type OrganizationAccessError } from '../organizations/organization-access.ts';
import {
  type InvitationEnded,
  type InvitationNotFound,
  type InvitationPending,
  type InvitationResendLimit,
  invitationEnded,
  invitationResendLimit,
} from './errors.ts';
import {
  type Invitation,
  type InvitationDraft,
  invitationLifetimeSeconds,
  invitationVersion,
  resendsPerInvitation,
} from './invitation.ts';
import type { InvitationRepositories } from './repositories.ts';

/**
 * Invites an address by mail, with a role no higher than the inviter's own; API tokens cannot invite owners or admins.
 */
export const createInvitation =
  ({
    unitOfWork,
    randomness,
    tokenHashes,
  }: Pick<Dependencies<InvitationRepositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
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
        yield* queueInvitation(repositories, caller, invitation, { token, organization: name });
        const objects = { invitation: invitation.id, role };
        yield* record(repositories, caller, 'invitation.created', { organization: organizationId, objects });
        return ok(invitation);
      }),
    );

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
  ({
    unitOfWork,
    randomness,
    tokenHashes,
  }: Pick<Dependencies<InvitationRepositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'>) =>
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
        yield* queueInvitation(repositories, caller, renewed, { token, organization: name });
        yield* record(repositories, caller, 'invitation.resent', { organization, objects: { invitation: id } });
        return ok(renewed);
      }),
    );

/**
 * Queues the mail of an invitation, which names the organization, the role and the inviter; none of them if the
 * inviter's account is being deleted.
 */
const queueInvitation = (
  { people, outbox }: Pick<InvitationRepositories, 'people' | 'outbox'>,
  { userId: inviter }: Caller,
  { email: to, role }: Invitation,
  { token, organization }: { readonly token: MailedToken; readonly organization: OrganizationName },
): ResultAsync<void, never> =>
  people
    .byId(inviter)
    .map(({ firstName, lastName }) => ({ about: { organization, role, inviter: `${firstName} ${lastName}` } }))
    .orElse(() => ok({}))
    .andThen((about) => outbox.add({ kind: 'invitation', to, token, ...about }));

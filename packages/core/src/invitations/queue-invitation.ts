import { ok, type ResultAsync } from 'neverthrow';
import type { Email } from '../mail/email.ts';
import type { InvitationSubject } from '../mail/mail.ts';
import type { MailedToken } from '../mail/mailed-token.ts';
import type { Repositories } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';

/** An invitation to mail. */
interface MailedInvitation extends Omit<InvitationSubject, 'inviter'> {
  readonly to: Email;
  readonly token: MailedToken;
  readonly inviter: UserId;
}

/**
 * Queues the mail of an invitation, which names the organization, the role and the inviter; none of them if the
 * inviter's account is being deleted.
 */
export const queueInvitation = (
  { accounts, outbox }: Pick<Repositories, 'accounts' | 'outbox'>,
  { to, token, inviter, ...subject }: MailedInvitation,
): ResultAsync<void, never> =>
  accounts
    .profile(inviter)
    .map(({ firstName, lastName }) => ({ about: { ...subject, inviter: `${firstName} ${lastName}` } }))
    .orElse(() => ok({}))
    .andThen((about) => outbox.add({ kind: 'invitation', to, token, ...about }));

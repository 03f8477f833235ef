import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Notice } from '../../kernel/mail/mail.ts';
import type { Client } from '../../kernel/shared/client.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { MailingRepositories } from './repositories.ts';

/** Notices per kind, account and hour, so that nobody can flood a mailbox by causing them. */
export const noticesPerHour = 5;
const hour = 60 * 60;

/**
 * Queues a security notice to an account's stored address. Each kind is limited separately, so that noise of one kind
 * cannot suppress another, and the last notice of the hour says so.
 */
export const notify = (
  { accounts, outbox }: Pick<MailingRepositories, 'accounts' | 'outbox'>,
  user: UserId,
  notice: Notice,
  { network, userAgent }: Client,
): ResultAsync<void, never> =>
  safeTry(async function* () {
    const earlier = yield* outbox.lockNoticeCount(user, notice, hour);
    if (earlier >= noticesPerHour) return ok();
    const to = yield* accounts
      .profile(user)
      .map(({ email }) => email)
      .orElse(() => ok(undefined));
    if (to === undefined) return okAsync();
    return outbox.add({
      kind: 'notice',
      to,
      user,
      notice,
      ...(network === undefined ? {} : { network }),
      ...(userAgent === undefined ? {} : { userAgent }),
      isLastForNow: earlier === noticesPerHour - 1,
    });
  });

import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { UserId } from '../shared/ids.ts';
import type { Notice } from './mail.ts';

/** Notices of one kind that an account gets in an hour, so that nobody can fill a mailbox by causing them. */
export const noticesPerHour = 5;
const hour = 60 * 60;

/**
 * Queues a mail about the security of an account to its stored address. Each kind is limited on its own: noise of one
 * kind never keeps a notice of another kind back, and the last one in the hour says that it is the last.
 */
export const notify = (
  { accounts, outbox }: Repositories,
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

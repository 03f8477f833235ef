import { type EmailKey, type MailedTokens, mailedTokenInvalid, type UserId } from '@zonewright/core';
import type { Connection } from './database.ts';
import { many, one, required, run } from './query.ts';
import { sql } from './sql.ts';

type Invalid = ReturnType<typeof mailedTokenInvalid>;

export const postgresMailedTokens = (on: Connection): MailedTokens => ({
  issue: ({ hash, userId, purpose, lifetimeSeconds }) =>
    one(on, sql.accounts.lock, { id: userId })
      .andThen(() => run(on, sql.mailedTokens.supersede, { userId, purpose }))
      .andThen(() => one(on, sql.mailedTokens.issue, { hash, userId, purpose, lifetimeSeconds }))
      .map(() => undefined),
  // Locked, so that two units cannot both count and then exceed the limit.
  lockIssuedCount: (userId, purpose, seconds) =>
    many(on, sql.accounts.lock, { id: userId })
      .andThen(() => one<{ count: number }>(on, sql.mailedTokens.issuedCount, { userId, purpose, seconds }))
      .map(({ count }) => count),
  holder: (hash, purpose) =>
    required<{ userId: UserId }, Invalid>(on, sql.mailedTokens.holder, { hash, purpose }, mailedTokenInvalid).map(
      ({ userId }) => userId,
    ),
  redeem: (hash, purpose) =>
    many(on, sql.mailedTokens.lockAccount, { hash }).andThen(() =>
      required<{ userId: UserId; email: EmailKey }, Invalid>(
        on,
        sql.mailedTokens.redeem,
        { hash, purpose },
        mailedTokenInvalid,
      ),
    ),
});

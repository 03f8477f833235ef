import { type EmailKey, type MailedTokens, mailedTokenInvalid, type UserId } from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { many, one, required, run, value } from '../connection/query.ts';
import { sql } from '../sql.ts';

export const postgresMailedTokens = (on: Connection): MailedTokens => ({
  issue: ({ hash, userId, purpose, lifetimeSeconds }) =>
    one(on, sql.accounts.lock, { id: userId })
      .andThen(() => run(on, sql.mailedTokens.supersede, { userId, purpose }))
      .andThen(() => one(on, sql.mailedTokens.issue, { hash, userId, purpose, lifetimeSeconds }))
      .map(() => undefined),
  // Locked, so that two units cannot both count and then exceed the limit.
  lockIssuedCount: (userId, purpose, seconds) =>
    many(on, sql.accounts.lock, { id: userId }).andThen(() =>
      value<number>(on, sql.mailedTokens.issuedCount, { userId, purpose, seconds }),
    ),
  holder: (hash, purpose) =>
    required<{ userId: UserId }>(on, sql.mailedTokens.holder, { hash, purpose })
      .mapErr(mailedTokenInvalid)
      .map(({ userId }) => userId),
  redeem: (hash, purpose) =>
    many(on, sql.mailedTokens.lockAccount, { hash }).andThen(() =>
      required<{ userId: UserId; email: EmailKey }>(on, sql.mailedTokens.redeem, { hash, purpose }).mapErr(
        mailedTokenInvalid,
      ),
    ),
});

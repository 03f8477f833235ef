import { type EmailKey, type MailedTokens, mailedTokenInvalid, type UserId } from '@zonewright/core';
import type { Connection } from './database.ts';
import { many, one, required, run } from './query.ts';
import { sql } from './sql.ts';

export const postgresMailedTokens = (on: Connection): MailedTokens => ({
  issue: ({ hash, userId, purpose, lifetimeSeconds }) =>
    one(on, sql.accounts.lock, { id: userId })
      .andThen(() => run(on, sql.mailedTokens.supersede, { userId, purpose }))
      .andThen(() => one(on, sql.mailedTokens.issue, { hash, userId, purpose, lifetimeSeconds }))
      .map(() => undefined),
  redeem: (hash, purpose) =>
    many(on, sql.mailedTokens.lockAccount, { hash }).andThen(() =>
      required<{ userId: UserId; email: EmailKey }, ReturnType<typeof mailedTokenInvalid>>(
        on,
        sql.mailedTokens.redeem,
        { hash, purpose },
        mailedTokenInvalid,
      ),
    ),
});

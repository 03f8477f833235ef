import {
  type ChallengedUser,
  type Challenges,
  challengeInvalid,
  invalidCredentials,
  type UserId,
} from '@zonewright/core';
import type { Connection } from './database.ts';
import { maybe, required, run } from './query.ts';
import { sql } from './sql.ts';

type ChallengedRow = Omit<ChallengedUser, 'provider'> & { readonly provider: ChallengedUser['provider'] | null };

export const postgresChallenges = (on: Connection): Challenges => ({
  issue: ({ hash, userId, credentialsVersion, provider, lifetimeSeconds }) =>
    required(on, sql.challenges.lockAccount, { userId, credentialsVersion }, invalidCredentials)
      .andThen(() => run(on, sql.challenges.voidAllOf, { userId }))
      .andThen(() => run(on, sql.challenges.issue, { hash, userId, credentialsVersion, provider, lifetimeSeconds })),
  holder: (hash, maxAttempts) =>
    maybe<{ userId: UserId }>(on, sql.challenges.holder, { hash, maxAttempts }).map((row) => row?.userId),
  countAttempt: (hash, maxAttempts) =>
    required<ChallengedRow, ReturnType<typeof challengeInvalid>>(
      on,
      sql.challenges.countAttempt,
      { hash, maxAttempts },
      challengeInvalid,
    ).map(({ provider, ...row }): ChallengedUser => ({ ...row, provider: provider ?? undefined })),
  spend: (hash) => required(on, sql.challenges.spend, { hash }, challengeInvalid).map(() => undefined),
});

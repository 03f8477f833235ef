import {
  type ChallengedUser,
  type Challenges,
  challengeInvalid,
  invalidCredentials,
  type UserId,
} from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { change, itemOf, maybe, type RowOf, required, run } from '../connection/query.ts';
import { sql } from '../sql.ts';

export const postgresChallenges = (on: Connection): Challenges => ({
  issue: ({ hash, userId, credentialsVersion, provider, lifetimeSeconds }) =>
    required(on, sql.challenges.lockAccount, { userId, credentialsVersion })
      .mapErr(invalidCredentials)
      .andThen(() => run(on, sql.challenges.voidAllOf, { userId }))
      .andThen(() => run(on, sql.challenges.issue, { hash, userId, credentialsVersion, provider, lifetimeSeconds })),
  holder: (hash, maxAttempts) =>
    maybe<{ userId: UserId }>(on, sql.challenges.holder, { hash, maxAttempts }).map((row) => row?.userId),
  countAttempt: (hash, maxAttempts) =>
    required<RowOf<ChallengedUser>>(on, sql.challenges.countAttempt, { hash, maxAttempts })
      .mapErr(challengeInvalid)
      .map(itemOf<ChallengedUser>),
  spend: (hash) => change(on, sql.challenges.spend, { hash }).mapErr(challengeInvalid),
});

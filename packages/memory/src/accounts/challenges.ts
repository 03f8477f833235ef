import { type Challenges, challengeInvalid, invalidCredentials, type TokenHash, type UserId } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { secondsAfter } from '../seconds-after.ts';
import { type Tables, type Unit } from '../tables/tables.ts';
import { standingOf } from './callers.ts';

export const memoryChallenges = ({ tables, now }: Unit): Challenges => {
  const { challenges, users } = tables;
  const unspent = (hash: TokenHash) => {
    const challenge = challenges.get(hash);
    return challenge !== undefined && !challenge.spent && challenge.expiresAt > now() ? challenge : undefined;
  };
  const isProven = (userId: UserId, credentialsVersion: number) => {
    const user = users.get(userId);
    return user?.credentialsVersion === credentialsVersion && standingOf(user) === 'active';
  };
  const answerable = (hash: TokenHash, maxAttempts: number) => {
    const challenge = unspent(hash);
    const isLive =
      challenge !== undefined &&
      challenge.attempts < maxAttempts &&
      isProven(challenge.userId, challenge.credentialsVersion);
    return isLive ? challenge : undefined;
  };
  return {
    issue: ({ hash, userId, credentialsVersion, provider, lifetimeSeconds }) => {
      if (!isProven(userId, credentialsVersion)) return errAsync(invalidCredentials());
      voidChallenges(tables, userId);
      const expiresAt = secondsAfter(now(), lifetimeSeconds);
      challenges.set(hash, { userId, credentialsVersion, provider, attempts: 0, expiresAt, spent: false });
      return okAsync();
    },
    holder: (hash, maxAttempts) => okAsync(answerable(hash, maxAttempts)?.userId),
    countAttempt: (hash, maxAttempts) => {
      const challenge = answerable(hash, maxAttempts);
      if (challenge === undefined) return errAsync(challengeInvalid());
      const { userId, credentialsVersion, provider, attempts } = challenge;
      challenges.set(hash, { ...challenge, attempts: attempts + 1 });
      return okAsync({ userId, credentialsVersion, provider });
    },
    spend: (hash) => {
      const challenge = unspent(hash);
      if (challenge === undefined) return errAsync(challengeInvalid());
      challenges.set(hash, { ...challenge, spent: true });
      return okAsync();
    },
  };
};

/** Invalidates all challenges of a user. */
export function voidChallenges({ challenges }: Tables, user: UserId): void {
  for (const [hash, challenge] of challenges) {
    if (challenge.userId === user) challenges.set(hash, { ...challenge, spent: true });
  }
}

import type { ResultAsync } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import { type ChallengeToken, challengeLimits } from '../sessions/challenge.ts';
import type { Challenges } from '../sessions/ports.ts';

export type FindChallengedUser = (token: ChallengeToken) => ResultAsync<UserId | undefined, never>;

/**
 * Finds the user of a challenge, so that attempts can be limited per user. Proves nothing. Undefined for a dead
 * challenge: no code is checked, so it costs no attempt.
 */
export const findChallengedUser =
  ({
    unitOfWork,
    tokenHashes,
  }: Pick<Dependencies<{ readonly challenges: Challenges }>, 'unitOfWork' | 'tokenHashes'>): FindChallengedUser =>
  (token) =>
    unitOfWork.view(({ challenges }) => challenges.holder(tokenHashes.of(token), challengeLimits.attempts));

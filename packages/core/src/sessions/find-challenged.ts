import type { ResultAsync } from 'neverthrow';
import type { UnitOfWork } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';
import type { TokenHashes } from '../shared/token-hash.ts';
import { type ChallengeToken, challengeLimits } from './challenge.ts';

export type FindChallenged = (token: ChallengeToken) => ResultAsync<UserId | undefined, never>;

/**
 * Whose second step a challenge is, so that guesses can be counted per user. It proves nothing. Undefined for a dead
 * challenge: no code is looked at, so its holder must not pay for it.
 */
export const findChallenged =
  ({ unitOfWork, tokenHashes }: { unitOfWork: UnitOfWork; tokenHashes: TokenHashes }): FindChallenged =>
  (token) =>
    unitOfWork.view(({ challenges }) => challenges.holder(tokenHashes.of(token), challengeLimits.attempts));

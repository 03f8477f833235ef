import type { ResultAsync } from 'neverthrow';
import type { UnitOfWork } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';
import type { TokenHashes } from '../shared/token-hash.ts';
import type { ChallengeToken } from './challenge.ts';

export type FindChallenged = (token: ChallengeToken) => ResultAsync<UserId | undefined, never>;

/** Whose second step a challenge is, so that guesses can be counted per user. It proves nothing. */
export const findChallenged =
  ({ unitOfWork, tokenHashes }: { unitOfWork: UnitOfWork; tokenHashes: TokenHashes }): FindChallenged =>
  (token) =>
    unitOfWork.view(({ challenges }) => challenges.holder(tokenHashes.of(token)));

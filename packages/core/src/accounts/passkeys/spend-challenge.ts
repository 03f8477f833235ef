import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { TokenHash, TokenHashes } from '../../kernel/shared/token-hash.ts';
import { type PasskeyChallenge, type PasskeyPurpose, passkeyChallengeSeconds } from './challenge.ts';
import { type PasskeyRefused, passkeyRefused } from './errors.ts';
import type { PasskeyChallenges } from './ports.ts';

type ChallengePorts = Pick<
  Dependencies<{ readonly passkeyChallenges: PasskeyChallenges }>,
  'unitOfWork' | 'tokenHashes'
>;

/** The purpose is part of what is hashed, so that storage finds the challenge for no other. */
const hashOf = (tokenHashes: TokenHashes, { kind, of }: PasskeyPurpose, challenge: PasskeyChallenge): TokenHash =>
  tokenHashes.of(`${kind} ${of} ${challenge}`);

/** Issues a challenge for one purpose. */
export function issueChallenge(
  { unitOfWork, tokenHashes, randomness }: ChallengePorts & { readonly randomness: Randomness },
  purpose: PasskeyPurpose,
): ResultAsync<PasskeyChallenge, never> {
  // 32 random bytes in base64url are a challenge.
  const challenge = randomness.token() as PasskeyChallenge;
  return unitOfWork
    .single(({ passkeyChallenges }) =>
      passkeyChallenges.issue(hashOf(tokenHashes, purpose, challenge), passkeyChallengeSeconds),
    )
    .map(() => challenge);
}

/** Uses up the challenge that a response says it answers, whether or not it turns out to be right. */
export const spendChallenge = (
  { unitOfWork, tokenHashes }: ChallengePorts,
  purpose: PasskeyPurpose,
  said: PasskeyChallenge | undefined,
): ResultAsync<PasskeyChallenge, PasskeyRefused> =>
  orRefused(said).asyncAndThen((challenge) =>
    unitOfWork
      .single(({ passkeyChallenges }) => passkeyChallenges.spend(hashOf(tokenHashes, purpose, challenge)))
      .map(() => challenge),
  );

const orRefused = (said: PasskeyChallenge | undefined): Result<PasskeyChallenge, PasskeyRefused> =>
  said === undefined ? err(passkeyRefused()) : ok(said);

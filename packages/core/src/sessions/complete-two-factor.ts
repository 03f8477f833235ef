import { err, type ResultAsync, safeTry } from 'neverthrow';
import { recordFor } from '../audit/record.ts';
import { notify } from '../mail/notify.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { TokenHash, TokenHashes } from '../shared/token-hash.ts';
import type { InvalidVerificationCode } from '../two-factor/errors.ts';
import { type CodeVerification, spendCode } from '../two-factor/spend-code.ts';
import type { VerificationCode } from '../two-factor/two-factor.ts';
import { type ChallengeToken, challengeLimits } from './challenge.ts';
import { type ChallengeInvalid, challengeInvalid } from './errors.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import type { AccessTokens, ChallengedUser } from './ports.ts';
import type { SessionTokens } from './session.ts';

export type CompleteTwoFactorError = ChallengeInvalid | InvalidVerificationCode;
export type CompleteTwoFactor = (
  answer: { readonly challengeToken: ChallengeToken; readonly code: VerificationCode },
  client: Client,
) => ResultAsync<SessionTokens, CompleteTwoFactorError>;

interface Dependencies extends CodeVerification {
  readonly unitOfWork: UnitOfWork;
  readonly accessTokens: AccessTokens;
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
}

/**
 * Exchanges a challenge and a code for a session (interface, "Authentication", rule 4). The attempt is counted and
 * committed before the code is checked, so no later failure can undo the count.
 */
export const completeTwoFactor =
  (dependencies: Dependencies): CompleteTwoFactor =>
  ({ challengeToken, code }, client) => {
    const { unitOfWork, accessTokens, tokenHashes } = dependencies;
    const hash = tokenHashes.of(challengeToken);
    return unitOfWork
      .run(({ challenges }) => challenges.countAttempt(hash, challengeLimits.attempts))
      .andThen((challenged) =>
        unitOfWork
          .run((repositories) => exchange(repositories, dependencies, { hash, code, challenged, client }))
          .orElse((refused) =>
            unitOfWork
              .run((repositories) => recordFor(repositories, challenged.userId, client, 'challenge.failed'))
              .andThen(() => err(refused)),
          ),
      )
      .map(({ refreshToken, ...claims }) => ({ accessToken: accessTokens.issue(claims), refreshToken }));
  };

interface Answer {
  readonly hash: TokenHash;
  readonly code: VerificationCode;
  readonly challenged: ChallengedUser;
  readonly client: Client;
}

/** Lock order: account (with its two-factor state), then challenge. */
const exchange = (
  repositories: Repositories,
  dependencies: Dependencies,
  { hash, code, challenged: { userId, credentialsVersion, provider }, client }: Answer,
): ResultAsync<OpenedSession, CompleteTwoFactorError> =>
  safeTry(async function* () {
    const twoFactor = yield* repositories.twoFactors.lock(userId);
    if (twoFactor.state !== 'enabled') return err(challengeInvalid());
    yield* repositories.challenges.spend(hash);
    const used = yield* spendCode(repositories, dependencies, { user: userId, secret: twoFactor.secret, code });
    if (used === 'recovery') {
      yield* recordFor(repositories, userId, client, 'twoFactor.recoveryCodeUsed');
      yield* notify(repositories, userId, 'recovery-code-used', client);
    }
    const methods = [provider === undefined ? 'pwd' : 'fed', 'otp'] as const;
    const proof = { userId, credentialsVersion, provider, methods };
    return openSession(repositories, dependencies, proof, client).mapErr(challengeInvalid);
  });

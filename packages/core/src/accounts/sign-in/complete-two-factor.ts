import { err, type ResultAsync, safeTry } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import { recordFor } from '../../organizations/audit/record.ts';
import { notify } from '../mailing/notify.ts';
import type { PasskeyRefused } from '../passkeys/errors.ts';
import { namedPasskey, type PasskeyVerification, provePasskey } from '../passkeys/prove-passkey.ts';
import type { AssertionResponse } from '../passkeys/response.ts';
import { type ChallengeToken, challengeLimits } from '../sessions/challenge.ts';
import { type ChallengeInvalid, challengeInvalid } from '../sessions/errors.ts';
import { type OpenedSession, openSession, tokensOf } from '../sessions/open-session.ts';
import type { AccessTokens, ChallengedUser } from '../sessions/ports.ts';
import type { SessionTokens } from '../sessions/session.ts';
import { type InvalidVerificationCode, invalidVerificationCode } from '../two-factor/errors.ts';
import { type CodeVerification, spendCode } from '../two-factor/spend-code.ts';
import type { VerificationCode } from '../two-factor/two-factor.ts';
import type { SignInRepositories } from './repositories.ts';

/** What answers a challenge: a code, or the response of a passkey. */
export type SecondFactorProof = { readonly code: VerificationCode } | { readonly response: AssertionResponse };

export type CompleteTwoFactorError = ChallengeInvalid | InvalidVerificationCode | PasskeyRefused;
export type CompleteTwoFactor = (
  answer: SecondFactorProof & { readonly challengeToken: ChallengeToken },
  client: Client,
) => ResultAsync<SessionTokens, CompleteTwoFactorError>;

type CompletionPorts = CodeVerification &
  PasskeyVerification &
  Pick<Dependencies<SignInRepositories>, 'unitOfWork' | 'randomness'> & { readonly accessTokens: AccessTokens };

/**
 * Exchanges a challenge and its answer for a session (interface, "Authentication", rule 4). The attempt is counted and
 * committed before the answer is checked, so no later failure can undo the count.
 */
export const completeTwoFactor =
  (dependencies: CompletionPorts): CompleteTwoFactor =>
  ({ challengeToken, ...proof }, client) => {
    const { unitOfWork, tokenHashes } = dependencies;
    const hash = tokenHashes.of(challengeToken);
    return unitOfWork
      .run(({ challenges }) => challenges.countAttempt(hash, challengeLimits.attempts))
      .andThen((challenged) =>
        answered(dependencies, { hash, challenged, client }, proof).orElse((refused) =>
          unitOfWork
            .run((repositories) => recordFor(repositories, challenged.userId, client, 'challenge.failed'))
            .andThen(() => err(refused)),
        ),
      )
      .map((opened) => tokensOf(dependencies, opened));
  };

/** A challenge that may be answered now. */
interface Challenged {
  readonly hash: TokenHash;
  readonly challenged: ChallengedUser;
  readonly client: Client;
}

const answered = (
  dependencies: CompletionPorts,
  challenge: Challenged,
  proof: SecondFactorProof,
): ResultAsync<OpenedSession, CompleteTwoFactorError> =>
  'code' in proof
    ? dependencies.unitOfWork.run((repositories) => exchangeCode(repositories, dependencies, challenge, proof.code))
    : exchangePasskey(dependencies, challenge, proof.response);

/** The passkey is checked first: what that changes stays, whatever becomes of the challenge. */
const exchangePasskey = (
  dependencies: CompletionPorts,
  { hash, challenged: { userId, credentialsVersion, provider }, client }: Challenged,
  response: AssertionResponse,
): ResultAsync<OpenedSession, CompleteTwoFactorError> =>
  safeTry(async function* () {
    const named = yield* namedPasskey(dependencies, response);
    const expected = { purpose: { kind: 'second-factor', of: hash }, user: userId, named } as const;
    yield* provePasskey(dependencies, response, expected, client);
    return dependencies.unitOfWork.run((repositories) =>
      repositories.accounts
        .lock(userId)
        .mapErr(challengeInvalid)
        .andThen(() => repositories.challenges.spend(hash))
        .andThen(() => {
          const methods = [provider === undefined ? 'pwd' : 'fed', 'pop', 'mfa'] as const;
          const proof = { userId, credentialsVersion, provider, methods };
          return openSession(repositories, dependencies, proof, client).mapErr(challengeInvalid);
        }),
    );
  });

/** Lock order: account (with its two-factor state), then challenge. */
const exchangeCode = (
  repositories: SignInRepositories,
  dependencies: CompletionPorts,
  { hash, challenged: { userId, credentialsVersion, provider }, client }: Challenged,
  code: VerificationCode,
): ResultAsync<OpenedSession, CompleteTwoFactorError> =>
  safeTry(async function* () {
    const twoFactor = yield* repositories.twoFactors.lock(userId);
    // An account whose only second factor is a passkey: its challenge stays open.
    if (twoFactor.state !== 'enabled') return err(invalidVerificationCode());
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

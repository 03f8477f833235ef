import { err, ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import { z } from 'zod';
import { Email, emailKey } from '../accounts/email.ts';
import { type AccountInactive, accountInactive, type HashingBusy } from '../accounts/errors.ts';
import { Password, PasswordAttempt } from '../accounts/password.ts';
import type { LoginFacts, PasswordHashes } from '../accounts/ports.ts';
import { SessionId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { TokenHashes } from '../shared/token-hash.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import { type InvalidCredentials, invalidCredentials } from './errors.ts';
import type { AccessTokens } from './ports.ts';
import { RefreshToken, type SessionTokens, sessionLifetimes } from './session.ts';

export const Login = z.object({ email: Email, password: PasswordAttempt });
export type Login = z.infer<typeof Login>;

export type LogInError = InvalidCredentials | AccountInactive | HashingBusy;
export type LogIn = (
  login: Login,
  client: { readonly userAgent: string | undefined },
) => ResultAsync<SessionTokens, LogInError>;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly passwords: PasswordHashes;
  readonly accessTokens: AccessTokens;
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
}

/**
 * Signs in with address and password. Unknown addresses cost the same work as known ones, and only a right
 * password learns that an account is inactive.
 */
export const logIn =
  (dependencies: Dependencies): LogIn =>
  ({ email, password }, client) =>
    safeTry(async function* () {
      const { unitOfWork, passwords } = dependencies;
      const facts = yield* unitOfWork.view(({ accounts }) => accounts.loginFacts(emailKey(email)));
      const matches = yield* passwords.verify(facts?.passwordHash, password);
      if (facts === undefined || !matches) return err(invalidCredentials());
      if (facts.standing === 'inactive') return err(accountInactive());
      yield* renewPasswordHash(dependencies, facts, password);
      return openSession(dependencies, facts, client);
    });

/** Replaces a hash made with weaker parameters while the password is at hand; a busy hasher lets it wait. */
const renewPasswordHash = (
  { unitOfWork, passwords }: Dependencies,
  { userId, passwordHash }: LoginFacts,
  attempt: PasswordAttempt,
): ResultAsync<void, never> => {
  const password = Password.safeParse(attempt);
  if (passwordHash === undefined || !password.success || !passwords.isOutdated(passwordHash)) return okAsync();
  return passwords
    .hash(password.data)
    .andThen((to) => unitOfWork.run(({ accounts }) => accounts.replacePasswordHash(userId, { from: passwordHash, to })))
    .orElse(() => ok());
};

function openSession(
  { unitOfWork, accessTokens, randomness, tokenHashes }: Dependencies,
  { userId, credentialsVersion }: LoginFacts,
  { userAgent }: { readonly userAgent: string | undefined },
): ResultAsync<SessionTokens, InvalidCredentials> {
  const sessionId = SessionId.parse(randomness.uuid());
  const refreshToken = RefreshToken.parse(randomness.token());
  const methods = ['pwd'] as const;
  return unitOfWork
    .run(({ sessions, refreshTokens }) =>
      sessions
        .open({
          id: sessionId,
          userId,
          credentialsVersion,
          methods,
          userAgent,
          lifetimeSeconds: sessionLifetimes.sessionSeconds,
        })
        .andThen(() =>
          refreshTokens.add({
            hash: tokenHashes.of(refreshToken),
            sessionId,
            lifetimeSeconds: sessionLifetimes.refreshTokenSeconds,
          }),
        ),
    )
    .map(() => ({ accessToken: accessTokens.issue({ userId, sessionId, methods }), refreshToken }));
}

import { err, ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import { z } from 'zod';
import { Email, emailKey } from '../../kernel/mail/email.ts';
import type { Client } from '../../kernel/shared/client.ts';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { type SecondFactor, secondFactorsOf } from '../../organizations/access/second-factor.ts';
import { recordRefusal } from '../../organizations/audit/record.ts';
import { type AccountInactive, accountInactive, type HashingBusy } from '../accounts/errors.ts';
import { Password, PasswordAttempt, type PasswordHash } from '../accounts/password.ts';
import type { AccountFacts, PasswordHashes } from '../accounts/ports.ts';
import type { ChallengeToken } from '../sessions/challenge.ts';
import { type InvalidCredentials, invalidCredentials } from '../sessions/errors.ts';
import { openSessionAlone, tokensOf } from '../sessions/open-session.ts';
import type { AccessTokens } from '../sessions/ports.ts';
import type { SessionTokens } from '../sessions/session.ts';
import { issueChallenge } from './issue-challenge.ts';
import type { SignInRepositories } from './repositories.ts';

export const Login = z.object({ email: Email, password: PasswordAttempt });
export type Login = z.infer<typeof Login>;

/** A session, or a challenge if the account has a second factor, with the factors that answer it. */
export type LoggedIn =
  | { readonly outcome: 'session'; readonly tokens: SessionTokens }
  | {
      readonly outcome: 'challenge';
      readonly challengeToken: ChallengeToken;
      readonly methods: readonly SecondFactor[];
    };

export type LogInError = InvalidCredentials | AccountInactive | HashingBusy;

type LogInPorts = Pick<Dependencies<SignInRepositories>, 'unitOfWork' | 'randomness' | 'tokenHashes'> & {
  readonly passwords: PasswordHashes;
  readonly accessTokens: AccessTokens;
};

/** A retry is only needed if the account changes between two statements, so one is almost always enough. */
const maxRetries = 3;

/**
 * Signs in with address and password. Unknown addresses take the same time as known ones, and only a correct password
 * reveals that an account is inactive. An account with a second factor gets a challenge instead of a session.
 */
export const logIn =
  (dependencies: LogInPorts) =>
  (login: Login, client: Client): ResultAsync<LoggedIn, LogInError> =>
    attempt(dependencies, login, client);

/**
 * The credentials may change after the check, for example because the second factor is enabled. Then the account is
 * read again: a correct password must get the result that is now due, and never be reported as wrong.
 */
const attempt = (
  dependencies: LogInPorts,
  login: Login,
  client: Client,
  proven?: PasswordHash,
  retries = maxRetries,
): ResultAsync<LoggedIn, LogInError> =>
  prove(dependencies, login, client, proven).andThen((facts) => {
    const open = secondFactorsOf(facts).length > 0 ? challenge : session;
    return open(dependencies, facts, client).orElse((changed) =>
      retries === 0 ? err(changed) : attempt(dependencies, login, client, facts.passwordHash, retries - 1),
    );
  });

/** The current account, once the password is verified; the hash `proven` is not verified again. */
const prove = (
  dependencies: LogInPorts,
  { email, password }: Login,
  client: Client,
  proven: PasswordHash | undefined,
): ResultAsync<AccountFacts, LogInError> =>
  safeTry(async function* () {
    const { unitOfWork, passwords } = dependencies;
    const facts = yield* unitOfWork.view(({ accounts }) => accounts.factsByEmail(emailKey(email)));
    const isProven = proven !== undefined && facts?.passwordHash === proven;
    const matches = isProven || (yield* passwords.verify(facts?.passwordHash, password));
    if (facts === undefined || !matches) {
      // For unknown addresses too, so that the work is the same for every address.
      yield* recordRefusal(dependencies)(facts?.userId, client, 'login.failed', {});
      return err(invalidCredentials());
    }
    if (facts.standing === 'inactive') {
      yield* recordRefusal(dependencies)(facts.userId, client, 'login.inactive', {});
      return err(accountInactive());
    }
    if (!isProven) yield* renewPasswordHash(dependencies, facts, password);
    return ok(facts);
  });

/** Replaces a hash with outdated parameters while the password is available; if the hasher is busy, that can wait. */
const renewPasswordHash = (
  { unitOfWork, passwords }: LogInPorts,
  { userId, passwordHash }: AccountFacts,
  attempt: PasswordAttempt,
): ResultAsync<void, never> => {
  const password = Password.safeParse(attempt);
  if (passwordHash === undefined || !password.success || !passwords.isOutdated(passwordHash)) return okAsync();
  return passwords
    .hash(password.data)
    .andThen((to) =>
      unitOfWork.run(({ credentials }) => credentials.replacePasswordHash(userId, { from: passwordHash, to })),
    )
    .orElse(() => ok());
};

const session = (
  dependencies: LogInPorts,
  { userId, credentialsVersion }: AccountFacts,
  client: Client,
): ResultAsync<LoggedIn, InvalidCredentials> =>
  openSessionAlone(dependencies, { userId, credentialsVersion, methods: ['pwd'] }, client).map((opened) => ({
    outcome: 'session',
    tokens: tokensOf(dependencies, opened),
  }));

const challenge = (
  dependencies: LogInPorts,
  { userId, credentialsVersion, ...facts }: AccountFacts,
  client: Client,
): ResultAsync<LoggedIn, InvalidCredentials> =>
  issueChallenge(dependencies, { userId, credentialsVersion }, client).map((challengeToken) => ({
    outcome: 'challenge',
    challengeToken,
    methods: secondFactorsOf(facts),
  }));

import type { ApiError } from '@zonewright/api-description';
import { cookieNames, exampleToken, list } from '@zonewright/api-description';
import {
  AssertionResponse,
  ChallengeToken,
  type Client,
  type CompleteTwoFactor,
  challengeLimits,
  confirmationSeconds,
  emailKey,
  type FindChallengedUser,
  invalidInput,
  Login,
  type LogOut,
  PasswordAttempt,
  RefreshToken,
  SessionProof,
  type UseCases,
  type UserId,
  violation,
} from '@zonewright/core';
import { err, ok, okAsync, type Result, type ResultAsync, safeTry } from 'neverthrow';
import { z } from 'zod';
import { clearedChallengeCookie, clearedSessionCookies, sessionCookies } from '../../http/cookies.ts';
import type { RequestCredentials } from '../../http/credentials.ts';
import { type Limit, limitsOf } from '../../http/limits.ts';
import { PageQuery } from '../../http/query.ts';
import { publicRoute, sessionRoute } from '../../http/route.ts';
import { exampleAssertion } from '../../present/accounts/passkey.ts';
import { presentSessions, sessionResource } from '../../present/accounts/session.ts';
import { presentSignIn, presentTokens, sessionTokens, signIn } from '../../present/accounts/session-tokens.ts';
import { message, presentMessage } from '../../present/message.ts';
import { sessionParameter } from '../parameters.ts';
import { authBody, badRequest, noContent } from '../row-members.ts';
import { anyCode } from './two-factor.ts';

const LoginBody = Login.extend({
  password: PasswordAttempt.meta({ format: 'password', description: 'The password of the account.' }),
});

const RefreshBody = z.object({
  refreshToken: RefreshToken.meta({
    description: `Can be omitted if the cookie \`${cookieNames.refreshToken}\` is sent.`,
    examples: [exampleToken],
  }).optional(),
});
type RefreshBody = z.infer<typeof RefreshBody>;

/** What a browser got from a passkey. */
export const passkeyResponse = AssertionResponse.meta({
  description: 'What `navigator.credentials.get` returned for the options, in JSON (`toJSON`).',
  examples: [exampleAssertion],
});

/** The challenge of a sign-in. */
export const challengeToken = ChallengeToken.meta({
  description: `Can be omitted if the cookie \`${cookieNames.challenge}\` is sent.`,
  examples: [exampleToken],
}).optional();

const ChallengeBody = z.object({
  code: anyCode.optional(),
  response: passkeyResponse.optional(),
  challengeToken,
});
type ChallengeBody = z.infer<typeof ChallengeBody>;

const ProofBody = SessionProof.safeExtend({
  password: PasswordAttempt.meta({ format: 'password', description: 'The password of the account.' }).optional(),
  code: anyCode.optional(),
  response: passkeyResponse.optional(),
});

const sessionCookieNames = `\`${cookieNames.accessToken}\` and \`${cookieNames.refreshToken}\``;

export const sessionRoutes = [
  publicRoute({
    method: 'post',
    path: '/api/auth/login',
    cost: 'constant',
    summary: 'Sign in with an e-mail address and password.',
    description:
      `Returns the tokens of a new session and also sets them as the cookies ${sessionCookieNames}. For an account ` +
      'with a second factor it returns a challenge instead, also set as the cookie ' +
      `\`${cookieNames.challenge}\`; send it to \`POST /api/auth/2fa\` together with a code or the response of a passkey. The response is the ` +
      'same for an unknown address and a wrong password; an inactive account is reported only if the password is ' +
      'right. Failed attempts are limited per network, per address, and per combination of the two.',
    answers: signIn,
    ...authBody(LoginBody),
    errors: ['InvalidCredentials', 'AccountInactive'],
    cookies: { sets: ['accessToken', 'refreshToken', 'challenge'] },
    limits: ({ body, client }) => limitsOf.logIn({ emailKey: emailKey(body.email), network: client.network }),
    target: ({ body, useCases }) => useCases.findAccount(body.email),
    run: ({ body, client, useCases }) => useCases.logIn(body, client),
    present: presentSignIn,
  }),
  // Public: the challenge is the credential, so there is no caller yet.
  publicRoute({
    method: 'post',
    path: '/api/auth/2fa',
    cost: 'constant',
    summary: 'Complete a sign-in with a code or a passkey.',
    description:
      `The challenge is the credential. It allows at most ${challengeLimits.attempts} attempts and works for one ` +
      `sign-in. Returns the tokens of a new session and also sets them as the cookies ${sessionCookieNames}. ` +
      'Consecutive wrong answers are limited per user, unknown challenges per network. For a passkey, get options at ' +
      '`POST /api/auth/2fa/options`.',
    answers: sessionTokens,
    ...authBody(ChallengeBody),
    errors: ['ChallengeMissing', 'ChallengeInvalid', 'InvalidVerificationCode', 'PasskeyRefused', 'ForeignOrigin'],
    cookies: { reads: ['challenge'], sets: ['accessToken', 'refreshToken', 'challenge'] },
    failedCredential: ({ type }) => type === 'ChallengeInvalid',
    limits: ({ body, credentials, client, useCases }) => challengeLimitsOf(useCases, body, credentials, client),
    target: ({ body, credentials, useCases }) => challengedBy(useCases.findChallengedUser, body, credentials),
    run: ({ body, credentials, client, useCases }) =>
      challengeAnswer(body, credentials).asyncAndThen((answer) => useCases.completeTwoFactor(answer, client)),
    present: (tokens) => ({ ...presentTokens(tokens), cookies: [...sessionCookies(tokens), clearedChallengeCookie()] }),
    problems: { ...badRequest, InvalidVerificationCode: { status: 401 } },
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/refresh',
    cost: 'constant',
    summary: 'Exchange a refresh token for new tokens.',
    description:
      'A token in the body takes precedence over the cookie. Returns the new tokens and also sets them as the ' +
      `cookies ${sessionCookieNames}. A refresh token works once: using it again returns 401 and ends all sessions ` +
      'of the user. Requests are limited per network.',
    answers: sessionTokens,
    ...authBody(RefreshBody),
    errors: ['RefreshTokenInvalid', 'RefreshTokenReused', 'AccountInactive', 'MissingBodyMember', 'ForeignOrigin'],
    cookies: { reads: ['refreshToken'], sets: ['accessToken', 'refreshToken'] },
    bodyOptional: true,
    limits: ({ client }) => limitsOf.refresh(client),
    run: ({ body, credentials, client, useCases }) =>
      refreshTokenOf(body, credentials)
        .andThen(requireToken)
        .asyncAndThen((token) => useCases.refreshSession(token, client)),
    present: presentTokens,
  }),
  // Public, because an expired access token is accepted: the use case identifies the session.
  publicRoute({
    method: 'post',
    path: '/api/auth/logout',
    cost: 'constant',
    summary: 'Sign out.',
    description:
      'Ends the session of the access token (header or cookie) or refresh token (body or cookie), and clears the ' +
      'cookies. Expired tokens and tokens of a session that has already ended are accepted. Unknown refresh ' +
      'tokens are limited per network.',
    answers: message,
    ...authBody(RefreshBody),
    errors: ['Unauthenticated', 'SessionRequired', 'ForeignOrigin'],
    cookies: { reads: ['accessToken', 'refreshToken'], sets: ['accessToken', 'refreshToken'] },
    bodyOptional: true,
    // Only refresh tokens are looked up; access tokens are verified by their signature.
    failedCredential: ({ type }, { body, credentials }) =>
      type === 'Unauthenticated' && refreshTokenOf(body, credentials).unwrapOr(undefined) !== undefined,
    run: ({ body, credentials, client, useCases }) =>
      logOutCredentials(body, credentials).asyncAndThen((named) => useCases.logOut(named, client)),
    present: () => ({ ...presentMessage('Logged out.'), cookies: clearedSessionCookies() }),
  }),
  sessionRoute({
    method: 'post',
    path: '/api/auth/confirm',
    cost: 'constant',
    summary: 'Confirm that it is still you.',
    description:
      `For ${confirmationSeconds / 60} minutes after a sign-in or a confirmation, a session may do what would let a ` +
      'thief keep the account or an organization. Send one proof. A second factor counts if it was set up before ' +
      'the session began, or by a confirmed session. Wrong passwords are limited as in a login, other proofs ' +
      'per user. For a passkey, get options at ' +
      '`POST /api/auth/confirm/options`.',
    ...noContent,
    ...authBody(ProofBody),
    errors: ['InvalidCredentials', 'InvalidVerificationCode', 'PasskeyRefused', 'SessionNotFound'],
    idempotencyKey: 'ignored',
    limits: ({ caller, body, client, useCases }) =>
      body.password !== undefined
        ? limitsOf.confirmPassword(caller, client)
        : limitsOf.secondFactor(caller, () => useCases.reportSecondFactorLock(caller.userId, caller.client)),
    run: ({ caller, body, useCases }) => useCases.confirmSession(caller, body),
    problems: { ...badRequest, InvalidVerificationCode: { status: 401 } },
  }),
  sessionRoute({
    method: 'get',
    path: '/api/users/me/sessions',
    cost: 'constant',
    summary: 'List your sessions.',
    description: 'Active sessions, most recently used first.',
    answers: list(sessionResource),
    query: PageQuery,
    run: ({ caller, query, useCases }) => useCases.listSessions(caller, query),
    present: (sessions, { caller, query }) => ({ body: presentSessions(caller)(sessions, query) }),
  }),
  sessionRoute({
    method: 'delete',
    path: '/api/users/me/sessions',
    cost: 'constant',
    summary: 'End all of your other sessions.',
    description: 'Their tokens stop working immediately; the current session and API tokens stay valid.',
    ...noContent,
    run: ({ caller, useCases }) => useCases.endOtherSessions(caller),
  }),
  sessionRoute({
    method: 'delete',
    path: '/api/users/me/sessions/:id',
    cost: 'constant',
    summary: 'End one of your sessions.',
    description: 'Its tokens stop working immediately. You can end the current session.',
    ...noContent,
    params: sessionParameter,
    run: ({ caller, params, useCases }) => useCases.endSession(caller, params.id),
  }),
];

/** The user of the challenge. */
const challengedBy = (
  findChallengedUser: FindChallengedUser,
  { challengeToken }: ChallengeBody,
  credentials: RequestCredentials,
): ResultAsync<UserId | undefined, never> => {
  const token = challengeToken ?? credentials.challengeCookie().unwrapOr(undefined);
  return token === undefined ? okAsync(undefined) : findChallengedUser(token);
};

/** Wrong codes count per user, across challenges. */
const challengeLimitsOf = async (
  { findChallengedUser, reportSecondFactorLock }: UseCases,
  body: ChallengeBody,
  credentials: RequestCredentials,
  client: Client,
): Promise<readonly Limit[]> => {
  const user = await challengedBy(findChallengedUser, body, credentials);
  return user.match(
    (userId) =>
      userId === undefined ? [] : limitsOf.secondFactor({ userId }, () => reportSecondFactorLock(userId, client)),
    () => [],
  );
};

/** Looks up the challenge first: without one there is no user whose code could be missing. */
const challengeAnswer = (body: ChallengeBody, credentials: RequestCredentials) =>
  safeTry<Parameters<CompleteTwoFactor>[0], ApiError>(function* () {
    const challengeToken = body.challengeToken ?? (yield* credentials.challengeCookie());
    if (challengeToken === undefined) return err({ type: 'ChallengeMissing' });
    const { code, response } = body;
    if (code !== undefined && response !== undefined) return err(invalidInput([severalAnswers]));
    if (response !== undefined) return ok({ challengeToken, response });
    if (code === undefined) return err({ type: 'MissingBodyMember', member: 'code' });
    return ok({ challengeToken, code });
  });

const severalAnswers = violation('', 'proof.single', 'Send exactly one proof.');

/** The token in the body takes precedence over the cookie. */
const refreshTokenOf = (
  { refreshToken }: RefreshBody,
  credentials: RequestCredentials,
): Result<RefreshToken | undefined, ApiError> =>
  refreshToken === undefined ? credentials.refreshTokenCookie() : ok(refreshToken);

const requireToken = (token: RefreshToken | undefined): Result<RefreshToken, ApiError> =>
  token === undefined ? err({ type: 'MissingBodyMember', member: 'refreshToken' }) : ok(token);

const logOutCredentials = (body: RefreshBody, credentials: RequestCredentials) =>
  safeTry<Parameters<LogOut>[0], ApiError>(function* () {
    const credential = yield* credentials.presented();
    if (credential.kind === 'API token') return err({ type: 'SessionRequired' });
    const refreshToken = yield* refreshTokenOf(body, credentials);
    return ok({ accessToken: credential.kind === 'access token' ? credential.token : undefined, refreshToken });
  });

import {
  ChallengeToken,
  type Client,
  type CompleteTwoFactor,
  challengeLimits,
  emailKey,
  type FindChallenged,
  Login,
  type LogOut,
  PasswordAttempt,
  parse,
  RefreshToken,
  type UseCases,
  type UserId,
} from '@zonewright/core';
import { err, ok, okAsync, type Result, type ResultAsync, safeTry } from 'neverthrow';
import { z } from 'zod';
import type { ApiError } from '../errors/problems.ts';
import { bodyLimits } from '../http/body.ts';
import { clearedChallengeCookie, clearedSessionCookies, cookieNames, sessionCookies } from '../http/cookies.ts';
import type { RequestCredentials } from '../http/credentials.ts';
import { formats } from '../http/negotiation.ts';
import { pageParameters } from '../http/query.ts';
import { badRequest, publicRoute, sessionRoute } from '../http/route.ts';
import { type Limit, limitsOf } from '../limits/rate-limits.ts';
import { message, presentMessage } from '../present/message.ts';
import { presentSessions, sessionResource } from '../present/session.ts';
import { presentSignIn, presentTokens, sessionTokens, signIn } from '../present/session-tokens.ts';
import { exampleToken, list, nothing, whole } from '../resources/description.ts';
import { sessionParameter } from './parameters.ts';
import { anyCode } from './two-factor.ts';

export type SessionUseCases = Pick<
  UseCases,
  | 'logIn'
  | 'completeTwoFactor'
  | 'findAccount'
  | 'findChallenged'
  | 'reportSecondFactorLock'
  | 'refreshSession'
  | 'logOut'
  | 'listSessions'
  | 'endSession'
>;

const LoginBody = Login.extend({
  password: PasswordAttempt.meta({ format: 'password', description: 'The password of the account.' }),
});

const RefreshBody = z.object({
  refreshToken: RefreshToken.meta({
    description: `Left out when the cookie \`${cookieNames.refreshToken}\` carries it.`,
    examples: [exampleToken],
  }).optional(),
});
type RefreshBody = z.infer<typeof RefreshBody>;

const ChallengeBody = z.object({
  code: anyCode,
  challengeToken: ChallengeToken.meta({
    description: `Left out when the cookie \`${cookieNames.challenge}\` carries it.`,
    examples: [exampleToken],
  }).optional(),
});
/** Whether the code is there is asked only once there is a challenge. */
const GivenChallenge = ChallengeBody.partial({ code: true });
type GivenChallenge = z.infer<typeof GivenChallenge>;

const ListQuery = z.object(pageParameters);

export const sessionRoutes = (useCases: SessionUseCases) => [
  ...signInRoutes(useCases),
  ...renewalRoutes(useCases),
  ...ownSessionRoutes(useCases),
];

const sessionCookieNames = `\`${cookieNames.accessToken}\` and \`${cookieNames.refreshToken}\``;

const signInRoutes = (useCases: SessionUseCases) => [
  publicRoute({
    method: 'post',
    path: '/api/auth/login',
    summary: 'Sign in with e-mail and password.',
    description:
      `Answers the tokens of a session, and sets them as the cookies ${sessionCookieNames}. An account with a second factor ` +
      `gets no session but a challenge, also set as the cookie \`${cookieNames.challenge}\`: \`POST /api/auth/2fa\` takes it ` +
      'together with a code. An unknown address and a wrong password read the same; only the right password learns that an ' +
      'account is inactive. Failed attempts are limited by network, by address, and by both together.',
    answers: signIn,
    accepts: whole(LoginBody),
    refuses: ['InvalidCredentials', 'AccountInactive'],
    cookies: { sets: ['accessToken', 'refreshToken', 'challenge'] },
    bodyLimit: bodyLimits.small,
    body: (body) => parse(LoginBody, body),
    limits: ({ body, client }) => limitsOf.logIn({ emailKey: emailKey(body.email), network: client.network }),
    target: ({ body }) => useCases.findAccount(body.email),
    run: ({ body, client }) => useCases.logIn(body, client),
    present: presentSignIn,
    problems: badRequest,
  }),
  // The challenge is the credential here, so there is no caller yet.
  publicRoute({
    method: 'post',
    path: '/api/auth/2fa',
    summary: 'Complete a sign-in with a code.',
    description:
      `The challenge is the credential; it takes ${challengeLimits.attempts} codes at most, and the right one spends it. Answers ` +
      `the tokens of a session, and sets them as the cookies ${sessionCookieNames}. Wrong codes in a row are limited by user, ` +
      'unknown challenges by network.',
    answers: sessionTokens,
    accepts: whole(ChallengeBody),
    refuses: ['ChallengeMissing', 'ChallengeInvalid', 'InvalidVerificationCode', 'ForeignOrigin'],
    cookies: { reads: ['challenge'], sets: ['accessToken', 'refreshToken', 'challenge'] },
    bodyLimit: bodyLimits.small,
    body: (body) => parse(GivenChallenge, body),
    failedCredential: ({ type }) => type === 'ChallengeInvalid',
    limits: ({ body, credentials, client }) => challengeLimitsOf(useCases, body, credentials, client),
    target: ({ body, credentials }) => challengedBy(useCases.findChallenged, body, credentials),
    run: ({ body, credentials, client }) =>
      challengeAnswer(body, credentials).asyncAndThen((answer) => useCases.completeTwoFactor(answer, client)),
    present: (tokens) => ({ ...presentTokens(tokens), cookies: [...sessionCookies(tokens), clearedChallengeCookie()] }),
    problems: { ...badRequest, InvalidVerificationCode: { status: 401 } },
  }),
];

const renewalRoutes = (useCases: SessionUseCases) => [
  publicRoute({
    method: 'post',
    path: '/api/auth/refresh',
    summary: 'Exchange a refresh token for new tokens.',
    description:
      `A token in the body wins over the cookie. Answers the new tokens, and sets them as the cookies ${sessionCookieNames}. ` +
      'A refresh token works once: whoever uses it again gets 401, and all sessions of the user end. Requests are limited by ' +
      'network.',
    answers: sessionTokens,
    accepts: whole(RefreshBody),
    refuses: ['RefreshTokenInvalid', 'RefreshTokenReused', 'AccountInactive', 'MissingBodyMember', 'ForeignOrigin'],
    cookies: { reads: ['refreshToken'], sets: ['accessToken', 'refreshToken'] },
    bodyLimit: bodyLimits.small,
    bodyOptional: true,
    body: (body) => parse(RefreshBody, body),
    limits: ({ client }) => limitsOf.refresh(client),
    run: ({ body, credentials, client }) =>
      refreshTokenOf(body, credentials)
        .andThen(requireToken)
        .asyncAndThen((token) => useCases.refreshSession(token, client)),
    present: presentTokens,
    problems: badRequest,
  }),
  // Anybody who names a session may end it: the use case decides, so that an expired access token will do.
  publicRoute({
    method: 'post',
    path: '/api/auth/logout',
    summary: 'Sign out.',
    description:
      'Ends the session that the access token (header or cookie) or the refresh token (body or cookie) names, and takes the ' +
      'cookies back. Tokens that have expired will do, and so will those of a session that has ended already. Unknown refresh ' +
      'tokens are limited by network.',
    answers: message,
    accepts: whole(RefreshBody),
    refuses: ['Unauthenticated', 'SessionRequired', 'ForeignOrigin'],
    cookies: { reads: ['accessToken', 'refreshToken'], sets: ['accessToken', 'refreshToken'] },
    bodyLimit: bodyLimits.small,
    bodyOptional: true,
    body: (body) => parse(RefreshBody, body),
    // Without a refresh token nothing was looked up: access tokens tell by themselves what they are worth.
    failedCredential: ({ type }, { body, credentials }) =>
      type === 'Unauthenticated' && refreshTokenOf(body, credentials).unwrapOr(undefined) !== undefined,
    run: ({ body, credentials, client }) =>
      logOutCredentials(body, credentials).asyncAndThen((named) => useCases.logOut(named, client)),
    present: () => ({ ...presentMessage('Logged out.'), cookies: clearedSessionCookies() }),
    problems: badRequest,
  }),
];

const ownSessionRoutes = (useCases: SessionUseCases) => [
  sessionRoute({
    method: 'get',
    path: '/api/users/me/sessions',
    summary: 'List your sessions.',
    description: 'Those that have not ended, the last used first.',
    answers: list(sessionResource),
    formats: formats.plainFirst,
    query: ListQuery,
    run: ({ caller, query }) => useCases.listSessions(caller, query),
    present: (sessions, { caller, query }) => ({ body: presentSessions(caller)(sessions, query) }),
  }),
  sessionRoute({
    method: 'delete',
    path: '/api/users/me/sessions/:id',
    summary: 'End one of your sessions.',
    description: 'Its tokens stop working at once. The session that asks may be the one that ends.',
    answers: nothing,
    formats: formats.plainFirst,
    params: sessionParameter,
    run: ({ caller, params }) => useCases.endSession(caller, params.id),
    present: () => ({}),
  }),
];

/** Whose second step it is. */
const challengedBy = (
  findChallenged: FindChallenged,
  { challengeToken }: GivenChallenge,
  credentials: RequestCredentials,
): ResultAsync<UserId | undefined, never> => {
  const token = challengeToken ?? credentials.challengeCookie().unwrapOr(undefined);
  return token === undefined ? okAsync(undefined) : findChallenged(token);
};

/** Wrong codes of one user count together, whichever challenge they answer. */
const challengeLimitsOf = async (
  { findChallenged, reportSecondFactorLock }: Pick<SessionUseCases, 'findChallenged' | 'reportSecondFactorLock'>,
  given: GivenChallenge,
  credentials: RequestCredentials,
  client: Client,
): Promise<readonly Limit[]> => {
  const user = await challengedBy(findChallenged, given, credentials);
  return user.match(
    (userId) =>
      userId === undefined ? [] : limitsOf.secondFactor({ userId }, () => reportSecondFactorLock(userId, client)),
    () => [],
  );
};

/** The challenge is asked for first: without one there is nobody whose code could be missing. */
const challengeAnswer = (body: GivenChallenge, credentials: RequestCredentials) =>
  safeTry<Parameters<CompleteTwoFactor>[0], ApiError>(function* () {
    const challengeToken = body.challengeToken ?? (yield* credentials.challengeCookie());
    if (challengeToken === undefined) return err({ type: 'ChallengeMissing' });
    if (body.code === undefined) return err({ type: 'MissingBodyMember', member: 'code' });
    return ok({ challengeToken, code: body.code });
  });

/** The token of the body wins over the cookie of the same meaning. */
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

import {
  ChallengeToken,
  type CompleteTwoFactor,
  type EndSession,
  emailKey,
  type FindChallenged,
  type ListSessions,
  type LoggedIn,
  type LogIn,
  Login,
  type LogOut,
  parse,
  type RefreshSession,
  RefreshToken,
  type SessionTokens,
  VerificationCode,
} from '@zonewright/core';
import { err, ok, type Result, safeTry } from 'neverthrow';
import { z } from 'zod';
import { bodyLimits } from '../http/body.ts';
import { challengeCookie, clearedChallengeCookie, clearedSessionCookies, sessionCookies } from '../http/cookies.ts';
import type { RequestCredentials } from '../http/credentials.ts';
import { formats } from '../http/negotiation.ts';
import type { ApiError } from '../http/problem.ts';
import { pageParameters } from '../http/query.ts';
import { type Limit, limitsOf } from '../http/rate-limits.ts';
import { type Answer, badRequest, publicRoute, sessionRoute } from '../http/route.ts';
import { presentSessions } from '../present/session.ts';
import { sessionParameter } from './parameters.ts';

export interface SessionUseCases {
  readonly logIn: LogIn;
  readonly completeTwoFactor: CompleteTwoFactor;
  readonly findChallenged: FindChallenged;
  readonly refreshSession: RefreshSession;
  readonly logOut: LogOut;
  readonly listSessions: ListSessions;
  readonly endSession: EndSession;
}

const RefreshBody = z.object({ refreshToken: RefreshToken.optional() });
type RefreshBody = z.infer<typeof RefreshBody>;

const ChallengeBody = z.object({ code: VerificationCode.optional(), challengeToken: ChallengeToken.optional() });
type ChallengeBody = z.infer<typeof ChallengeBody>;

const ListQuery = z.object(pageParameters);

export const sessionRoutes = (useCases: SessionUseCases) => [
  ...signInRoutes(useCases),
  ...renewalRoutes(useCases),
  ...ownSessionRoutes(useCases),
];

const signInRoutes = (useCases: SessionUseCases) => [
  publicRoute({
    method: 'post',
    path: '/api/auth/login',
    bodyLimit: bodyLimits.small,
    body: (body) => parse(Login, body),
    limits: ({ body, client }) => limitsOf.logIn({ emailKey: emailKey(body.email), network: client.network }),
    run: ({ body, client }) => useCases.logIn(body, client),
    present: presentLogin,
    problems: badRequest,
  }),
  // The challenge is the credential here, so there is no caller yet.
  publicRoute({
    method: 'post',
    path: '/api/auth/2fa',
    bodyLimit: bodyLimits.small,
    body: (body) => parse(ChallengeBody, body),
    limits: ({ body, credentials }) => challengeLimits(useCases.findChallenged, body, credentials),
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
    bodyLimit: bodyLimits.small,
    bodyOptional: true,
    body: (body) => parse(RefreshBody, body),
    run: ({ body, credentials, client }) =>
      logOutCredentials(body, credentials).asyncAndThen((named) => useCases.logOut(named, client)),
    present: () => ({ status: 200, body: { message: 'Logged out.' }, cookies: clearedSessionCookies() }),
    problems: badRequest,
  }),
];

const ownSessionRoutes = (useCases: SessionUseCases) => [
  sessionRoute({
    method: 'get',
    path: '/api/users/me/sessions',
    formats: formats.plainFirst,
    query: ListQuery,
    run: ({ caller, query }) => useCases.listSessions(caller, query),
    present: (sessions, { caller, query }) => ({ status: 200, body: presentSessions(caller)(sessions, query) }),
  }),
  sessionRoute({
    method: 'delete',
    path: '/api/users/me/sessions/:id',
    formats: formats.plainFirst,
    params: sessionParameter,
    run: ({ caller, params }) => useCases.endSession(caller, params.id),
    present: () => ({ status: 204 }),
  }),
];

function presentLogin(done: LoggedIn): Answer {
  if (done.outcome === 'session') return presentTokens(done.tokens);
  const { challengeToken } = done;
  return { status: 200, body: { mfaRequired: true, challengeToken }, cookies: [challengeCookie(challengeToken)] };
}

function presentTokens(tokens: SessionTokens): Answer {
  const { accessToken: token, refreshToken } = tokens;
  return { status: 200, body: { token, refreshToken }, cookies: sessionCookies(tokens) };
}

/** Wrong codes of one user count together, whichever challenge they answer. */
const challengeLimits = async (
  findChallenged: FindChallenged,
  { challengeToken }: ChallengeBody,
  credentials: RequestCredentials,
): Promise<readonly Limit[]> => {
  const token = challengeToken ?? credentials.challengeCookie().unwrapOr(undefined);
  if (token === undefined) return [];
  const user = await findChallenged(token);
  return user.match(
    (userId) => (userId === undefined ? [] : limitsOf.secondFactor({ userId })),
    () => [],
  );
};

/** The challenge is asked for first: without one there is nobody whose code could be missing. */
const challengeAnswer = (body: ChallengeBody, credentials: RequestCredentials) =>
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

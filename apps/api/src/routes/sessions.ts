import {
  type LogIn,
  Login,
  type LogOut,
  parse,
  type RefreshSession,
  RefreshToken,
  type SessionTokens,
  unauthenticated,
} from '@zonewright/core';
import { err, ok, type Result, safeTry } from 'neverthrow';
import { z } from 'zod';
import { bodyLimits } from '../http/body.ts';
import { clearedSessionCookies, sessionCookies } from '../http/cookies.ts';
import type { RequestCredentials } from '../http/credentials.ts';
import type { ApiError } from '../http/problem.ts';
import { type Answer, badRequest, publicRoute } from '../http/route.ts';

export interface SessionUseCases {
  readonly logIn: LogIn;
  readonly refreshSession: RefreshSession;
  readonly logOut: LogOut;
}

const RefreshBody = z.object({ refreshToken: RefreshToken.optional() });
type RefreshBody = z.infer<typeof RefreshBody>;

export const sessionRoutes = ({ logIn, refreshSession, logOut }: SessionUseCases) => [
  publicRoute({
    method: 'post',
    path: '/api/auth/login',
    bodyLimit: bodyLimits.small,
    body: (body) => parse(Login, body),
    run: ({ body, userAgent }) => logIn(body, { userAgent }),
    present: presentSession,
    problems: badRequest,
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/refresh',
    bodyLimit: bodyLimits.small,
    bodyOptional: true,
    body: (body) => parse(RefreshBody, body),
    run: ({ body, credentials }) => refreshTokenOf(body, credentials).andThen(present).asyncAndThen(refreshSession),
    present: presentSession,
    problems: badRequest,
  }),
  // Anybody who names a session may end it: the use case decides, so that an expired access token will do.
  publicRoute({
    method: 'post',
    path: '/api/auth/logout',
    bodyLimit: bodyLimits.small,
    bodyOptional: true,
    body: (body) => parse(RefreshBody, body),
    run: ({ body, credentials }) => logOutCredentials(body, credentials).asyncAndThen(logOut),
    present: () => ({ status: 200, body: { message: 'Logged out.' }, cookies: clearedSessionCookies() }),
    problems: badRequest,
  }),
];

const presentSession = (tokens: SessionTokens): Answer => ({
  status: 200,
  body: { token: tokens.accessToken, refreshToken: tokens.refreshToken },
  cookies: sessionCookies(tokens),
});

/** The token of the body wins over the cookie of the same meaning. */
const refreshTokenOf = (
  { refreshToken }: RefreshBody,
  credentials: RequestCredentials,
): Result<RefreshToken | undefined, ApiError> =>
  refreshToken === undefined ? credentials.refreshTokenCookie() : ok(refreshToken);

const present = (token: RefreshToken | undefined): Result<RefreshToken, ApiError> =>
  token === undefined ? err({ type: 'MissingBodyMember', member: 'refreshToken' }) : ok(token);

const logOutCredentials = (body: RefreshBody, credentials: RequestCredentials) =>
  safeTry<Parameters<LogOut>[0], ApiError>(function* () {
    const credential = yield* credentials.presented();
    if (credential.kind === 'API token') return err(unauthenticated());
    const refreshToken = yield* refreshTokenOf(body, credentials);
    return ok({ accessToken: credential.kind === 'access token' ? credential.token : undefined, refreshToken });
  });

import { type CookieName, cookieNames } from '@zonewright/api-description';
import {
  type ChallengeToken,
  challengeLimits,
  flowLifetimeSeconds,
  type SessionTokens,
  sessionLifetimes,
} from '@zonewright/core';

const attributes = {
  accessToken: `Path=/; Max-Age=${sessionLifetimes.accessTokenSeconds}; HttpOnly; Secure; SameSite=Lax`,
  refreshToken: `Path=/api/auth; Max-Age=${sessionLifetimes.refreshTokenSeconds}; HttpOnly; Secure; SameSite=Strict`,
  challenge: `Path=/api/auth/2fa; Max-Age=${challengeLimits.lifetimeSeconds}; HttpOnly; Secure; SameSite=Strict`,
  // Lax: the browser comes back from the provider's site.
  flow: `Path=/; Max-Age=${flowLifetimeSeconds}; HttpOnly; Secure; SameSite=Lax`,
} as const;

const cookie = (name: CookieName, value: string): string => `${cookieNames[name]}=${value}; ${attributes[name]}`;

/** Browsers match on the same attributes. */
const cleared = (name: CookieName): string => cookie(name, '').replace(/Max-Age=\d+/, 'Max-Age=0');

/** `Set-Cookie` values that start a session. */
export const sessionCookies = ({ accessToken, refreshToken }: SessionTokens): string[] => [
  cookie('accessToken', accessToken),
  cookie('refreshToken', refreshToken),
];

/** `Set-Cookie` values that clear a session. */
export const clearedSessionCookies = (): string[] => [cleared('accessToken'), cleared('refreshToken')];

/** `Set-Cookie` value for a challenge. */
export const challengeCookie = (token: ChallengeToken): string => cookie('challenge', token);

/** Clears the challenge once it is answered or expired. */
export const clearedChallengeCookie = (): string => cleared('challenge');

/** `Set-Cookie` value for a flow: a browser has one at a time. */
export const flowCookie = (sealed: string): string => cookie('flow', sealed);

/** Clears the flow once it is over. */
export const clearedFlowCookie = (): string => cleared('flow');

import {
  ChallengeToken,
  challengeLimits,
  type LoggedIn,
  RefreshToken,
  type SessionTokens,
  sessionLifetimes,
} from '@zonewright/core';
import { z } from 'zod';
import { challengeCookie, sessionCookies } from '../http/cookies.ts';
import type { Given } from '../http/route.ts';
import { object } from '../resources/description.ts';

const { accessTokenSeconds, refreshTokenSeconds } = sessionLifetimes;

const tokenPair = z
  .object({
    token: z.string().meta({
      description: `Access token (JWT), for the header \`Authorization: Bearer …\`; lives ${accessTokenSeconds / 60} minutes.`,
    }),
    refreshToken: RefreshToken.meta({
      description: `Buys the next pair of tokens, once; lives ${refreshTokenSeconds / (24 * 60 * 60)} days.`,
    }),
  })
  .meta({ title: 'SessionTokens', description: 'A session.' });

const challenge = z
  .object({
    mfaRequired: z.literal(true).meta({ description: 'There is no session yet: a code is needed.' }),
    challengeToken: ChallengeToken.meta({
      description: `Stands for the password that was right; lives ${challengeLimits.lifetimeSeconds / 60} minutes and takes ${challengeLimits.attempts} codes at most.`,
    }),
  })
  .meta({ title: 'Challenge', description: 'What stands between a two-factor account and its session.' });

/** The tokens of a session (interface, "Session tokens"). */
export const sessionTokens = object('SessionTokens', tokenPair);

/** What the right password gets: a session, or a challenge. */
export const signIn = object(
  'SignIn',
  z.union([tokenPair, challenge]).meta({ description: 'A session, or the challenge that stands before it.' }),
);

/** Tokens go out in the body and as cookies, for clients of both kinds. */
export function presentTokens(tokens: SessionTokens): Given {
  const { accessToken: token, refreshToken } = tokens;
  return { body: { token, refreshToken }, cookies: sessionCookies(tokens) };
}

/** A session, or the challenge in body and cookie. */
export function presentSignIn(done: LoggedIn): Given {
  if (done.outcome === 'session') return presentTokens(done.tokens);
  const { challengeToken } = done;
  return { body: { mfaRequired: true, challengeToken }, cookies: [challengeCookie(challengeToken)] };
}

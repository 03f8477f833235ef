import {
  ChallengeToken,
  challengeLimits,
  type LoggedIn,
  RefreshToken,
  type SessionTokens,
  sessionLifetimes,
} from '@zonewright/core';
import { z } from 'zod';
import type { PresentedAnswer } from '../http/answer.ts';
import { challengeCookie, sessionCookies } from '../http/cookies.ts';
import { object } from '../resources/description.ts';

const { accessTokenSeconds, refreshTokenSeconds } = sessionLifetimes;

const tokenPair = z
  .object({
    token: z.string().meta({
      description: `Access token (JWT) for the header \`Authorization: Bearer …\`; valid for ${accessTokenSeconds / 60} minutes.`,
    }),
    refreshToken: RefreshToken.meta({
      description: `Exchanged once for the next pair of tokens; valid for ${refreshTokenSeconds / (24 * 60 * 60)} days.`,
    }),
  })
  .meta({ title: 'SessionTokens', description: 'The tokens of a session.' });

const challenge = z
  .object({
    mfaRequired: z.literal(true).meta({ description: 'A code is required to complete the sign-in.' }),
    challengeToken: ChallengeToken.meta({
      description: `Proves that the password was right; valid for ${challengeLimits.lifetimeSeconds / 60} minutes and at most ${challengeLimits.attempts} codes.`,
    }),
  })
  .meta({
    title: 'Challenge',
    description: 'Has to be answered with a code before an account with two-factor authentication gets a session.',
  });

/** The tokens of a session (interface, "Session tokens"). */
export const sessionTokens = object('SessionTokens', tokenPair);

/** The response to a correct password: a session or a challenge. */
export const signIn = object(
  'SignIn',
  z
    .union([tokenPair, challenge])
    .meta({ description: 'The tokens of a session, or a challenge for the second factor.' }),
);

/** Sends tokens in the body and as cookies, to support API clients and browsers. */
export function presentTokens(tokens: SessionTokens): PresentedAnswer {
  const { accessToken: token, refreshToken } = tokens;
  return { body: { token, refreshToken }, cookies: sessionCookies(tokens) };
}

/** Sends a session, or a challenge in body and cookie. */
export function presentSignIn(done: LoggedIn): PresentedAnswer {
  if (done.outcome === 'session') return presentTokens(done.tokens);
  const { challengeToken } = done;
  return { body: { mfaRequired: true, challengeToken }, cookies: [challengeCookie(challengeToken)] };
}

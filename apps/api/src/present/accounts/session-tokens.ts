import { object } from '@zonewright/api-description';
import {
  ChallengeToken,
  challengeLimits,
  type LoggedIn,
  RefreshToken,
  type SecondFactor,
  type SessionTokens,
  sessionLifetimes,
} from '@zonewright/core';
import { z } from 'zod';
import type { PresentedAnswer } from '../../http/answer.ts';
import { challengeCookie, sessionCookies } from '../../http/cookies.ts';

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

const secondFactors = ['code', 'passkey'] as const satisfies readonly SecondFactor[];

const challenge = z
  .object({
    mfaRequired: z.literal(true).meta({ description: 'A second factor is required to complete the sign-in.' }),
    challengeToken: ChallengeToken.meta({
      description: `Proves that the password was right; valid for ${challengeLimits.lifetimeSeconds / 60} minutes and at most ${challengeLimits.attempts} attempts.`,
    }),
    methods: z.array(z.enum(secondFactors)).meta({
      description: 'The second factors of the account: codes of an authenticator app, passkeys, or both.',
    }),
  })
  .meta({
    title: 'Challenge',
    description: 'Has to be answered with a second factor before an account that has one gets a session.',
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
  const { challengeToken, methods } = done;
  return { body: { mfaRequired: true, challengeToken, methods }, cookies: [challengeCookie(challengeToken)] };
}

import { ChallengeToken } from '@zonewright/core';
import { err, ok } from 'neverthrow';
import { z } from 'zod';
import type { ApiError } from '../errors/problems.ts';
import { bodyLimits } from '../http/body.ts';
import { cookieNames } from '../http/cookies.ts';
import { publicRoute, sessionRoute } from '../http/route.ts';
import { authBody } from '../http/route-row.ts';
import { limitsOf } from '../limits/rate-limits.ts';
import { presentOptions, requestOptions } from '../present/passkey.ts';
import { presentTokens, sessionTokens } from '../present/session-tokens.ts';
import { exampleToken } from '../resources/description.ts';
import { passkeyResponse } from './sessions.ts';

const SignInBody = z.object({ response: passkeyResponse });

const ChallengeBody = z.object({
  challengeToken: ChallengeToken.meta({
    description: `Can be omitted if the cookie \`${cookieNames.challenge}\` is sent.`,
    examples: [exampleToken],
  }).optional(),
});

/** Signing in by a passkey, and the options for all that a passkey answers. */
export const passkeySignInRoutes = [
  publicRoute({
    method: 'post',
    path: '/api/auth/passkey/options',
    cost: 'constant',
    permission: 'public',
    summary: 'Get options for signing in by a passkey.',
    description: 'The same for everyone: they name no passkeys. Requests are limited per network.',
    answers: requestOptions,
    bodyLimit: bodyLimits.small,
    limits: ({ client }) => limitsOf.passkey(client),
    run: ({ useCases }) => useCases.beginPasskeySignIn(),
    present: presentOptions,
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/passkey',
    cost: 'constant',
    permission: 'public',
    summary: 'Sign in by a passkey.',
    description:
      'Returns the tokens of a new session and also sets them as cookies, as a login does. A passkey is two factors, so ' +
      'there is no further challenge. The response is the same for an unknown passkey and a wrong signature; an ' +
      'inactive account is reported only if the signature is right. Requests are limited per network.',
    answers: sessionTokens,
    ...authBody(SignInBody),
    errors: ['PasskeyRefused', 'AccountInactive'],
    cookies: { sets: ['accessToken', 'refreshToken'] },
    limits: ({ client }) => limitsOf.passkey(client),
    run: ({ body, client, useCases }) => useCases.signInByPasskey(body.response, client),
    present: presentTokens,
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/2fa/options',
    cost: 'constant',
    permission: 'public',
    summary: 'Get options for completing a sign-in with a passkey.',
    description:
      'The challenge is the credential; no attempt is counted. The options name the passkeys of its user and are for ' +
      'this sign-in only. Requests are limited per network.',
    answers: requestOptions,
    ...authBody(ChallengeBody),
    errors: ['ChallengeMissing', 'ChallengeInvalid', 'ForeignOrigin'],
    cookies: { reads: ['challenge'], sets: ['challenge'] },
    bodyOptional: true,
    failedCredential: ({ type }) => type === 'ChallengeInvalid',
    limits: ({ client }) => limitsOf.passkey(client),
    run: ({ body, credentials, useCases }) =>
      (body.challengeToken === undefined ? credentials.challengeCookie() : ok(body.challengeToken))
        .andThen((token) => (token === undefined ? err<never, ApiError>({ type: 'ChallengeMissing' }) : ok(token)))
        .asyncAndThen(useCases.beginPasskeyChallenge),
    present: presentOptions,
  }),
  sessionRoute({
    method: 'post',
    path: '/api/auth/confirm/options',
    cost: 'constant',
    permission: 'session',
    summary: 'Get options for confirming your session with a passkey.',
    description: 'They name your passkeys and are for this session only.',
    answers: requestOptions,
    bodyLimit: bodyLimits.small,
    idempotencyKey: 'ignored',
    run: ({ caller, useCases }) => useCases.beginPasskeyConfirmation(caller),
    present: presentOptions,
  }),
];

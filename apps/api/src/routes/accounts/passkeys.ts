import type { ApiError } from '@zonewright/api-description';
import { created, item, list, mergePatchOn, readOnlyMembers, whole } from '@zonewright/api-description';
import {
  CreationResponse,
  maxPasskeys,
  PasskeyDraft,
  PasskeySettings,
  parse,
  requireConfirmed,
} from '@zonewright/core';
import { err, ok, okAsync } from 'neverthrow';
import { z } from 'zod';
import { limitsOf } from '../../http/limits.ts';
import { PageQuery } from '../../http/query.ts';
import { publicRoute, sessionRoute } from '../../http/route.ts';
import {
  creationOptions,
  exampleCreation,
  passkeyResource,
  presentOptions,
  presentPasskey,
  presentPasskeys,
  requestOptions,
} from '../../present/accounts/passkey.ts';
import { presentTokens, sessionTokens } from '../../present/accounts/session-tokens.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { passkeyParameter } from '../parameters.ts';
import { authBody, noContent } from '../row-members.ts';
import { challengeToken, passkeyResponse } from './sessions.ts';

const SignInBody = z.object({ response: passkeyResponse });
const ChallengeBody = z.object({ challengeToken });

const collectionPath = '/api/users/me/passkeys';
const itemPath = `${collectionPath}/:id`;

const { name } = passkeyResource.schema.shape;
const NewPasskeyBody = PasskeyDraft.extend({
  name,
  response: CreationResponse.meta({
    description: 'What `navigator.credentials.create` returned for the options, in JSON (`toJSON`).',
    examples: [exampleCreation],
  }),
});
const SettingsBody = PasskeySettings.extend({ name });
const serviceMembers = readOnlyMembers(passkeyResource);

export const passkeyRoutes = [
  publicRoute({
    method: 'post',
    path: '/api/auth/passkey/options',
    cost: 'constant',
    summary: 'Get options for signing in by a passkey.',
    description: 'The same for everyone: they name no passkeys. Requests are limited per network.',
    answers: requestOptions,
    limits: ({ client }) => limitsOf.passkey(client),
    run: ({ useCases }) => useCases.beginPasskeySignIn(),
    present: presentOptions,
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/passkey',
    cost: 'constant',
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
    summary: 'Get options for confirming your session with a passkey.',
    description: 'They name your passkeys and are for this session only.',
    answers: requestOptions,
    idempotencyKey: 'ignored',
    run: ({ caller, useCases }) => useCases.beginPasskeyConfirmation(caller),
    present: presentOptions,
  }),
  sessionRoute({
    method: 'post',
    path: `${collectionPath}/options`,
    cost: 'constant',
    summary: 'Get options for a new passkey.',
    description: `Needs a session that has been confirmed recently. A user can have at most ${maxPasskeys} passkeys.`,
    answers: creationOptions,
    errors: ['ConfirmationRequired', 'InvalidInput', 'AccountNotFound'],
    idempotencyKey: 'ignored',
    run: ({ caller, useCases }) => useCases.beginPasskey(caller),
    present: presentOptions,
  }),
  sessionRoute({
    method: 'post',
    path: collectionPath,
    cost: 'constant',
    summary: 'Add a passkey.',
    description:
      'Needs a session that has been confirmed recently. From then on, the password alone opens no session. The owner ' +
      'is notified by mail.',
    answers: created(passkeyResource),
    accepts: whole(NewPasskeyBody),
    errors: ['ConfirmationRequired', 'PasskeyRefused'],
    idempotencyKey: 'ignored',
    permitted: ({ caller }) => requireConfirmed(caller).asyncAndThen(() => okAsync()),
    body: (body) => parse(PasskeyDraft, writableMembers(body, serviceMembers)),
    run: ({ caller, body, useCases }) => useCases.addPasskey(caller, body),
    present: (passkey) => ({ body: presentPasskey(passkey) }),
    problems: { PasskeyRefused: { status: 422 } },
  }),
  sessionRoute({
    method: 'get',
    path: collectionPath,
    cost: 'constant',
    summary: 'List your passkeys.',
    description: 'Oldest first. The keys themselves are not shown.',
    answers: list(passkeyResource),
    query: PageQuery,
    run: ({ caller, query, useCases }) => useCases.listPasskeys(caller, query),
    present: (page, { query }) => ({ body: presentPasskeys(page, query) }),
  }),
  sessionRoute({
    method: 'patch',
    path: itemPath,
    cost: 'constant',
    summary: 'Rename one of your passkeys.',
    description: 'Nothing else about a passkey can be changed.',
    answers: item(passkeyResource),
    accepts: mergePatchOn(SettingsBody),
    params: passkeyParameter,
    body: (body) => parse(PasskeySettings, writableMembers(body, serviceMembers)),
    run: ({ caller, params, body, useCases }) => useCases.renamePasskey(caller, params.id, body),
    present: (passkey) => ({ body: presentPasskey(passkey) }),
  }),
  sessionRoute({
    method: 'delete',
    path: itemPath,
    cost: 'constant',
    summary: 'Delete one of your passkeys.',
    description:
      'Needs a session that has been confirmed recently. Something must be left to sign in with, and a second factor ' +
      'while one of your organizations requires it. The owner is notified by mail.',
    ...noContent,
    errors: ['ConfirmationRequired', 'LastCredential', 'TwoFactorEnforced', 'AccountNotFound'],
    params: passkeyParameter,
    run: ({ caller, params, useCases }) => useCases.removePasskey(caller, params.id),
  }),
];

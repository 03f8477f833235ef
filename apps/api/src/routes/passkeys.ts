import {
  CreationResponse,
  maxPasskeys,
  PasskeyDraft,
  PasskeySettings,
  parse,
  requireConfirmed,
} from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { bodyLimits } from '../http/body.ts';
import { PageQuery } from '../http/query.ts';
import { sessionRoute } from '../http/route.ts';
import { noContent } from '../http/route-row.ts';
import {
  creationOptions,
  exampleCreation,
  passkeyResource,
  presentOptions,
  presentPasskey,
  presentPasskeys,
} from '../present/passkey.ts';
import { created, item, list, mergePatchOn, readOnlyMembers, whole } from '../resources/description.ts';
import { writableMembers } from '../resources/resource-body.ts';
import { passkeyParameter } from './parameters.ts';
import { passkeySignInRoutes } from './passkey-sign-in.ts';

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
  ...passkeySignInRoutes,
  sessionRoute({
    method: 'post',
    path: `${collectionPath}/options`,
    cost: 'constant',
    permission: 'session',
    summary: 'Get options for a new passkey.',
    description: `Needs a session that has been confirmed recently. A user can have at most ${maxPasskeys} passkeys.`,
    answers: creationOptions,
    errors: ['ConfirmationRequired', 'InvalidInput', 'AccountNotFound'],
    bodyLimit: bodyLimits.small,
    idempotencyKey: 'ignored',
    run: ({ caller, useCases }) => useCases.beginPasskey(caller),
    present: presentOptions,
  }),
  sessionRoute({
    method: 'post',
    path: collectionPath,
    cost: 'constant',
    permission: 'session',
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
    permission: 'session',
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
    permission: 'session',
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
    permission: 'session',
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

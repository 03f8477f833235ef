import {
  created,
  described,
  listAsObject,
  mergePatchOn,
  item as one,
  readOnlyMembers,
  whole,
} from '@zonewright/api-description';
import {
  BasicAuthUserChange,
  BasicAuthUserDraft,
  type JsonObject,
  parseDocument,
  readPermissions,
  type ZoneId,
} from '@zonewright/core';
import { z } from 'zod';
import { revalidated } from '../../http/answer.ts';
import { pageParameters, searchText } from '../../http/query.ts';
import { protectedRoute } from '../../http/route.ts';
import {
  basicAuthUserResource,
  presentBasicAuthUser,
  presentBasicAuthUsers,
} from '../../present/zones/basic-auth-user.ts';
import { iri } from '../../resources/iri.ts';
import { requireSameParent, writableMembers } from '../../resources/resource-body.ts';
import { basicAuthUserParameters, parentZoneParameter } from '../parameters.ts';
import { noContent } from '../row-members.ts';

const credentialTexts = {
  password: {
    description: 'The password, 8 to 72 bytes; cannot be combined with a hash.',
    examples: ['Correct-Horse-7'],
  },
  passwordHash: {
    description:
      'An existing hash in place of the password: bcrypt with a cost of 10 to 12, or SHA-512 crypt with 1,000 to 100,000 rounds.',
  },
} as const;

const collection = '/api/zones/:zoneId/basic-auth-users';
const item = `${collection}/:id`;
const ListQuery = z.object({ ...pageParameters, username: searchText.optional() });

export const basicAuthUserRoutes = [
  protectedRoute({
    method: 'get',
    path: collection,
    cost: 'stored',
    permission: readPermissions.rules,
    summary: 'List the basic-auth users of a zone.',
    description: 'Passwords are never returned.',
    answers: listAsObject(basicAuthUserResource),
    params: parentZoneParameter,
    query: ListQuery,
    run: ({ caller, params, query: { page, itemsPerPage, username }, useCases }) =>
      useCases.listBasicAuthUsers(caller, params.zoneId, { page, itemsPerPage, username }),
    present: (users, { query }) => revalidated(presentBasicAuthUsers(users, query)),
  }),
  protectedRoute({
    method: 'post',
    path: collection,
    cost: 'stored',
    permission: 'rules:write',
    summary: 'Add a basic-auth user to a zone.',
    description:
      'Send either a password of 8 to 72 bytes or an existing hash: bcrypt (`$2y$`) or SHA-512 crypt (`$6$`).',
    answers: created(basicAuthUserResource),
    accepts: whole(z.strictObject(described(BasicAuthUserDraft.shape, credentialTexts))),
    params: parentZoneParameter,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    permitted: ({ caller, params: { zoneId }, useCases }) =>
      useCases.checkZoneAccess(caller, zoneId, 'basicAuthUsers.write'),
    body: (body, { zoneId }) =>
      userMembers(body, zoneId).andThen((members) => parseDocument(BasicAuthUserDraft, members)),
    prepare: ({ caller, params, body, useCases }) => useCases.prepareBasicAuthUser(caller, params.zoneId, body),
    run: ({ caller, params, body, useCases }) => useCases.createBasicAuthUser(caller, params.zoneId, body),
    present: (user) => ({ body: presentBasicAuthUser(user) }),
  }),
  protectedRoute({
    method: 'get',
    path: item,
    cost: 'stored',
    permission: readPermissions.rules,
    summary: 'Read a basic-auth user.',
    description: 'The password is never returned.',
    answers: one(basicAuthUserResource),
    params: basicAuthUserParameters,
    run: ({ caller, params, useCases }) => useCases.readBasicAuthUser(caller, params.zoneId, params.id),
    present: (user) => revalidated(presentBasicAuthUser(user)),
  }),
  protectedRoute({
    method: 'patch',
    path: item,
    cost: 'stored',
    permission: 'rules:write',
    summary: 'Change the comment or password of a basic-auth user.',
    description: 'Members that are not in the patch stay as they are. The name cannot be changed.',
    answers: one(basicAuthUserResource),
    accepts: mergePatchOn(z.strictObject(described(BasicAuthUserChange.shape, credentialTexts))),
    params: basicAuthUserParameters,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    permitted: ({ caller, params: { zoneId, id }, useCases }) =>
      useCases
        .checkZoneAccess(caller, zoneId, 'basicAuthUsers.write')
        .andThen(() => useCases.readBasicAuthUser(caller, zoneId, id)),
    body: (body, { zoneId }) => userMembers(body, zoneId),
    run: ({ caller, params, body, expected, useCases }) =>
      useCases.updateBasicAuthUser(caller, params.zoneId, params.id, body, expected),
    present: (user) => ({ body: presentBasicAuthUser(user) }),
  }),
  protectedRoute({
    method: 'delete',
    path: item,
    cost: 'stored',
    permission: 'rules:write',
    summary: 'Delete a basic-auth user that is not in use.',
    description: 'A user that settings of the zone or of a rule allow by id is in use.',
    ...noContent,
    errors: ['BasicAuthUserInUse'],
    params: basicAuthUserParameters,
    subject: ({ params }) => ({ kind: 'zone change', id: params.zoneId }),
    run: ({ caller, params, expected, useCases }) =>
      useCases.deleteBasicAuthUser(caller, params.zoneId, params.id, expected),
  }),
];

const readOnly = readOnlyMembers(basicAuthUserResource);

const userMembers = (body: JsonObject, zoneId: ZoneId) =>
  requireSameParent(body, 'zone', [zoneId, iri.zone(zoneId)]).map(() => writableMembers(body, readOnly));

import {
  ApiTokenDraft,
  type CreateApiToken,
  type JsonObject,
  type ListApiTokens,
  parse,
  type RevokeApiToken,
} from '@zonewright/core';
import { z } from 'zod';
import { idInReference, iri } from '../http/iri.ts';
import { formats, mediaTypes } from '../http/negotiation.ts';
import { pageParameters } from '../http/query.ts';
import { writableMembers } from '../http/resource-body.ts';
import { sessionRoute } from '../http/route.ts';
import { presentApiTokens, presentCreatedApiToken } from '../present/api-token.ts';
import { apiTokenParameter } from './parameters.ts';

export interface ApiTokenUseCases {
  readonly createApiToken: CreateApiToken;
  readonly listApiTokens: ListApiTokens;
  readonly revokeApiToken: RevokeApiToken;
}

const ListQuery = z.object(pageParameters);

export const apiTokenRoutes = ({ createApiToken, listApiTokens, revokeApiToken }: ApiTokenUseCases) => [
  sessionRoute({
    method: 'get',
    path: '/api/api-tokens',
    formats: formats.plainFirst,
    query: ListQuery,
    run: ({ caller, query }) => listApiTokens(caller, query),
    present: (tokens, { query }) => ({ body: presentApiTokens(tokens, query) }),
  }),
  sessionRoute({
    method: 'post',
    path: '/api/api-tokens',
    formats: formats.plainFirst,
    consumes: [mediaTypes.json, mediaTypes.linked],
    body: (body) => parse(ApiTokenDraft, apiTokenMembers(body)),
    run: ({ caller, body }) => createApiToken(caller, body),
    present: (created) => ({
      body: presentCreatedApiToken(created),
      location: iri.apiToken(created.token.id),
    }),
  }),
  sessionRoute({
    method: 'delete',
    path: '/api/api-tokens/:id',
    formats: formats.plainFirst,
    params: apiTokenParameter,
    run: ({ caller, params }) => revokeApiToken(caller, params.id),
    present: () => ({}),
  }),
];

const readOnlyMembers = ['id', 'prefix', 'plainToken', 'lastUsedAt', 'active', 'createdAt'];

function apiTokenMembers(body: JsonObject): Readonly<Record<string, unknown>> {
  const { organizations, ...members } = writableMembers(body, readOnlyMembers);
  if (!Array.isArray(organizations)) return { ...members, ...(organizations === undefined ? {} : { organizations }) };
  return { ...members, organizations: organizations.map((each) => idInReference(each, 'organizations')) };
}

import { created, list, readOnlyMembers, whole } from '@zonewright/api-description';
import {
  ApiTokenDraft,
  type JsonObject,
  maxTokenZones,
  OrganizationId,
  parse,
  usageLimits,
  ZoneId,
} from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { z } from 'zod';
import { PageQuery } from '../../http/query.ts';
import { sessionRoute } from '../../http/route.ts';
import {
  apiTokenResource,
  createdApiTokenResource,
  presentApiTokens,
  presentCreatedApiToken,
} from '../../present/accounts/api-token.ts';
import { idInReference, reference } from '../../resources/iri.ts';
import { writableMembers } from '../../resources/resource-body.ts';
import { apiTokenParameter } from '../parameters.ts';
import { noContent } from '../row-members.ts';

const { name, readOnly, organizations, permissions, zones, networks } = apiTokenResource.schema.shape;

/** The writable members of a token; organizations may be IRIs or ids. */
const ApiTokenBody = ApiTokenDraft.extend({
  name,
  readOnly: readOnly.default(false),
  organizations: z
    .array(reference('Organization', OrganizationId))
    .max(100)
    .default([])
    .meta({ description: organizations.description }),
  permissions: ApiTokenDraft.shape.permissions.meta({
    description: `${permissions.description} Omit it for all but \`admin\`, or, with \`zones\`, for those that do not reach beyond them: \`zones:read\`, \`zones:write\`, \`rules:write\` and \`purges:write\`. \`admin\` cannot be combined with \`zones\`.`,
  }),
  zones: z
    .array(reference('Zone', ZoneId))
    .min(1)
    .max(maxTokenZones)
    .optional()
    .meta({ description: zones.description }),
  networks: ApiTokenDraft.shape.networks.meta({ description: networks.description }),
  expiresAt: ApiTokenDraft.shape.expiresAt.meta({
    format: 'date-time',
    description: 'When the token expires; must be in the future. Omit it or send null for a token that never expires.',
  }),
});

export const apiTokenRoutes = [
  sessionRoute({
    method: 'get',
    path: '/api/api-tokens',
    cost: 'constant',
    summary: 'List your API tokens.',
    description: 'Newest first, including revoked and expired tokens. The token values themselves are not stored.',
    answers: list(apiTokenResource),
    query: PageQuery,
    run: ({ caller, query, useCases }) => useCases.listApiTokens(caller, query),
    present: (tokens, { query }) => ({ body: presentApiTokens(tokens, query) }),
  }),
  sessionRoute({
    method: 'post',
    path: '/api/api-tokens',
    cost: 'constant',
    summary: 'Create an API token.',
    description: `The token value is returned only in this response. A user can have at most ${usageLimits.apiTokens.default} active tokens, unless the operator sets another limit.`,
    answers: created(createdApiTokenResource),
    errors: ['ConfirmationRequired'],
    accepts: whole(ApiTokenBody),
    // Everyone may create tokens: their rights are those of the memberships at the time of use.
    permitted: () => okAsync(),
    body: (body) => parse(ApiTokenDraft, apiTokenMembers(body)),
    run: ({ caller, body, useCases }) => useCases.createApiToken(caller, body),
    present: (made) => ({ body: presentCreatedApiToken(made), issued: made.plainToken }),
  }),
  sessionRoute({
    method: 'delete',
    path: '/api/api-tokens/:id',
    cost: 'constant',
    summary: 'Revoke an API token.',
    description: 'Takes effect immediately: the next request with the token is rejected.',
    ...noContent,
    params: apiTokenParameter,
    run: ({ caller, params, useCases }) => useCases.revokeApiToken(caller, params.id),
  }),
];

const serviceMembers = readOnlyMembers(createdApiTokenResource);

function apiTokenMembers(body: JsonObject): Readonly<Record<string, unknown>> {
  const members = writableMembers(body, serviceMembers);
  const linked = (['organizations', 'zones'] as const).flatMap((name) => {
    const value = members[name];
    return Array.isArray(value) ? [[name, value.map((each) => idInReference(each, name))]] : [];
  });
  return { ...members, ...Object.fromEntries(linked) };
}

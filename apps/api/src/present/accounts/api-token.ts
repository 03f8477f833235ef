import { link, type ResourceDescription, readOnly, timestamp, uuid } from '@zonewright/api-description';
import { type ApiToken, ApiTokenName, type CreatedApiToken, tokenPermissions } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { itemOf, presentPage } from '../item.ts';

const example = `zw_${'0123456789'.repeat(3)}012345`;

const identity = {
  id: uuid('Id of the token.'),
  name: ApiTokenName.meta({
    description: 'Name; unique among the tokens of the user that have not been revoked.',
    examples: ['deployment'],
  }),
  prefix: readOnly(
    z
      .string()
      .length(8)
      .meta({ examples: [example.slice(0, 8)] }),
    'The first 8 characters of the token, to recognize it by.',
  ),
} as const;

const scope = {
  readOnly: z.boolean().meta({ description: 'Whether the token only allows reading.' }),
  organizations: z.array(link('Organization', 'An organization of the user.')).meta({
    description:
      'The organizations the token is restricted to; if empty, it is valid for all organizations of the user, including future ones.',
  }),
  permissions: z.array(z.enum(tokenPermissions)).meta({
    examples: [['zones:read', 'rules:write']],
    description:
      'What the token may do, as far as its owner may at that moment. A write permission includes reading the same things, and `admin` includes all others.',
  }),
  zones: z
    .array(link('Zone', 'A zone that the owner of the token may read.'))
    .meta({
      description: 'The zones the token is restricted to; absent if it is valid for all zones, including future ones.',
    })
    .optional(),
  networks: z
    .array(z.string().meta({ examples: ['203.0.113.0/24'] }))
    .meta({
      description:
        'The IP addresses and CIDR ranges that the token may be used from; absent if it may be used anywhere.',
    })
    .optional(),
  expiresAt: timestamp('When the token expires; absent if it is valid until it is revoked.')
    .meta({ readOnly: false })
    .optional(),
  lastUsedAt: timestamp(
    'When the token was last used, accurate to the minute; absent if it has never been used.',
  ).optional(),
  lastUsedNetwork: readOnly(
    z
      .string()
      .meta({ examples: ['203.0.113.0/24'] })
      .optional(),
    'The network that the last recorded use came from: a /24, or a /48 of IPv6.',
  ),
  active: readOnly(z.boolean(), 'False once the token is revoked or expired.'),
  createdAt: timestamp('When the token was created.'),
} as const;

/** An API token without its secret. */
export const apiTokenResource = {
  type: 'ApiToken',
  title: 'API token',
  description: 'A long-lived credential for programs, sent in the header `X-API-TOKEN`.',
  schema: z.object({ ...identity, ...scope }),
} as const satisfies ResourceDescription;

/** An API token in the response that creates it. */
export const createdApiTokenResource = {
  ...apiTokenResource,
  name: 'CreatedApiToken',
  schema: z.object({
    ...identity,
    plainToken: readOnly(
      z
        .string()
        .length(39)
        .meta({ examples: [example] }),
      'The token value. It is shown in this response only.',
    ),
    ...scope,
  }),
} as const satisfies ResourceDescription;

/** Never includes the token itself. */
const presentApiToken = (token: ApiToken) => itemOf(apiTokenResource, { iri: iri.apiToken(token.id) }, shown(token));

/** A new token; the only response that contains the secret. */
export const presentCreatedApiToken = ({ token, plainToken }: CreatedApiToken) =>
  itemOf(createdApiTokenResource, { iri: iri.apiToken(token.id) }, { ...shown(token), plainToken });

export const presentApiTokens = presentPage(apiTokenResource.type, presentApiToken);

const shown = (token: ApiToken) => ({
  ...token,
  organizations: token.organizations.map(iri.organization),
  zones: token.zones?.map(iri.zone),
});

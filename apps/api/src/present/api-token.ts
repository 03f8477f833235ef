import type { ApiToken, CreatedApiToken } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Item, type Members } from '../http/resource.ts';
import { presentPage } from './page.ts';

/** An API token; the token itself is not part of it. */
const presentApiToken = (token: ApiToken): Item => apiTokenItem(token, {});

/** A token just created: the one answer that carries it. */
export const presentCreatedApiToken = ({ token, plainToken }: CreatedApiToken): Item =>
  apiTokenItem(token, { plainToken });

export const presentApiTokens = presentPage('ApiToken', presentApiToken);

const apiTokenItem = (token: ApiToken, secret: Members): Item =>
  new Item({
    type: 'ApiToken',
    iri: iri.apiToken(token.id),
    members: {
      id: token.id,
      name: token.name,
      prefix: token.prefix,
      ...secret,
      readOnly: token.readOnly,
      organizations: token.organizations.map(iri.organization),
      expiresAt: token.expiresAt,
      lastUsedAt: token.lastUsedAt,
      active: token.active,
      createdAt: token.createdAt,
    },
  });

import {
  type ApiToken,
  type ApiTokens,
  apiTokenNameTaken,
  apiTokenNotFound,
  expiryInThePast,
  nameKey,
  type OrganizationId,
  type ZoneId,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Connection } from './database.ts';
import type { StoredLimits } from './limits.ts';
import { many, one, pageOf, required } from './query.ts';
import { sql } from './sql.ts';

type Optional = 'zones' | 'networks' | 'expiresAt' | 'lastUsedAt' | 'lastUsedNetwork';
type TokenRow = Omit<ApiToken, Optional> & {
  readonly [Name in Optional]: Exclude<ApiToken[Name], undefined> | null;
};
type AddedRow = (TokenRow | { readonly id: null }) & { readonly isPast: boolean };
type AddError = ReturnType<typeof apiTokenNameTaken> | ReturnType<typeof expiryInThePast>;

export const postgresApiTokens = (on: Connection, limits: StoredLimits): ApiTokens => ({
  add: ({ expiresAt, zones, networks, ...token }) => {
    // As a number: PostgreSQL accepts fewer offsets and years than RFC 3339.
    const expiresAtMilliseconds = expiresAt === undefined ? undefined : Date.parse(expiresAt);
    return one<AddedRow>(on, sql.apiTokens.add, {
      ...token,
      zones: zones ?? null,
      networks: networks ?? null,
      nameKey: nameKey(token.name),
      expiresAtMilliseconds,
    }).andThen(addedOf);
  },
  lockActive: (user) =>
    many(on, sql.accounts.lock, { id: user })
      .andThen(() => one<{ count: number; own: string | null }>(on, sql.apiTokens.activeCount, { user }))
      .map(({ count, own }) => ({ used: count, limit: limits.ofUser('apiTokens', own) })),
  organizationsOf: (zones) =>
    many<{ id: ZoneId; organizationId: OrganizationId }>(on, sql.apiTokens.organizationsOf, { zones }).map(
      (rows) => new Map(rows.map(({ id, organizationId }) => [id, organizationId])),
    ),
  list: (user, page) => pageOf(on, sql.apiTokens, { user }, page, tokenOf),
  revoke: (user, id) => required(on, sql.apiTokens.revoke, { user, id }, apiTokenNotFound).map(() => undefined),
});

function addedOf({ isPast, ...row }: AddedRow): Result<ApiToken, AddError> {
  if (isPast) return err(expiryInThePast());
  return row.id === null ? err(apiTokenNameTaken()) : ok(tokenOf(row));
}

const tokenOf = ({ zones, networks, expiresAt, lastUsedAt, lastUsedNetwork, ...row }: TokenRow): ApiToken => ({
  ...row,
  zones: zones ?? undefined,
  networks: networks ?? undefined,
  expiresAt: expiresAt ?? undefined,
  lastUsedAt: lastUsedAt ?? undefined,
  lastUsedNetwork: lastUsedNetwork ?? undefined,
});

import {
  type ApiToken,
  type ApiTokenId,
  type ApiTokenName,
  type ApiTokens,
  apiTokenNameTaken,
  apiTokenNotFound,
  expiryInThePast,
  nameKey,
  type OrganizationId,
  type ZoneId,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { change, column, itemOf, many, one, pageOf, type RowOf } from '../connection/query.ts';
import type { StoredLimits } from '../organizations/limits.ts';
import { sql } from '../sql.ts';

type AddedRow = (RowOf<ApiToken> | { readonly id: null }) & { readonly isPast: boolean };
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
  list: (user, page) => pageOf(on, sql.apiTokens, { user }, page, itemOf<ApiToken>),
  activeNames: (user) => column<ApiTokenName>(on, sql.apiTokens.activeNames, { user }),
  revokeAllOf: (user) => column<ApiTokenId>(on, sql.apiTokens.revokeAllOf, { user }),
  revoke: (user, id) => change(on, sql.apiTokens.revoke, { user, id }).mapErr(apiTokenNotFound),
});

function addedOf({ isPast, ...row }: AddedRow): Result<ApiToken, AddError> {
  if (isPast) return err(expiryInThePast());
  return row.id === null ? err(apiTokenNameTaken()) : ok(itemOf<ApiToken>(row));
}

import {
  type ApiToken,
  type ApiTokens,
  apiTokenNameTaken,
  apiTokenNotFound,
  expiryInThePast,
  nameKey,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Connection } from './database.ts';
import type { StoredLimits } from './limits.ts';
import { many, one, pageOf, required } from './query.ts';
import { sql } from './sql.ts';

type TokenRow = Omit<ApiToken, 'expiresAt' | 'lastUsedAt'> & {
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
};
type AddedRow = (TokenRow | { readonly id: null }) & { readonly isPast: boolean };
type AddError = ReturnType<typeof apiTokenNameTaken> | ReturnType<typeof expiryInThePast>;

export const postgresApiTokens = (on: Connection, limits: StoredLimits): ApiTokens => ({
  add: ({ expiresAt, ...token }) => {
    // As a number: PostgreSQL accepts fewer offsets and years than RFC 3339.
    const expiresAtMilliseconds = expiresAt === undefined ? undefined : Date.parse(expiresAt);
    return one<AddedRow>(on, sql.apiTokens.add, {
      ...token,
      nameKey: nameKey(token.name),
      expiresAtMilliseconds,
    }).andThen(addedOf);
  },
  lockActive: (user) =>
    many(on, sql.accounts.lock, { id: user })
      .andThen(() => one<{ count: number; own: string | null }>(on, sql.apiTokens.activeCount, { user }))
      .map(({ count, own }) => ({ used: count, limit: limits.ofUser('apiTokens', own) })),
  list: (user, page) => pageOf(on, sql.apiTokens, { user }, page, tokenOf),
  revoke: (user, id) => required(on, sql.apiTokens.revoke, { user, id }, apiTokenNotFound).map(() => undefined),
});

function addedOf({ isPast, ...row }: AddedRow): Result<ApiToken, AddError> {
  if (isPast) return err(expiryInThePast());
  return row.id === null ? err(apiTokenNameTaken()) : ok(tokenOf(row));
}

const tokenOf = ({ expiresAt, lastUsedAt, ...row }: TokenRow): ApiToken => ({
  ...row,
  expiresAt: expiresAt ?? undefined,
  lastUsedAt: lastUsedAt ?? undefined,
});

import {
  type ApiToken,
  type ApiTokenId,
  type ApiTokens,
  apiTokenNameTaken,
  apiTokenNotFound,
  expiryInThePast,
  nameKey,
  type UserId,
  unauthenticated,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import type { Connection } from './database.ts';
import { type MembershipRow, membershipsOf } from './memberships.ts';
import { many, one, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';

type TokenRow = Omit<ApiToken, 'expiresAt' | 'lastUsedAt'> & {
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
};
type AddedRow = (TokenRow | { readonly id: null }) & { readonly isPast: boolean };
type AddError = ReturnType<typeof apiTokenNameTaken> | ReturnType<typeof expiryInThePast>;

/** Repeated in each row of a caller. */
interface CallerRow {
  readonly tokenId: ApiTokenId;
  readonly userId: UserId;
  readonly readOnly: boolean;
  readonly scoped: boolean;
  /** The last use that was noted is a minute ago. */
  readonly unnoted: boolean;
}

export const postgresApiTokens = (on: Connection): ApiTokens => ({
  add: ({ expiresAt, ...token }) => {
    // As a number: the server takes fewer offsets and years than RFC 3339 has.
    const expiresAtMilliseconds = expiresAt === undefined ? undefined : Date.parse(expiresAt);
    return one<AddedRow>(on, sql.apiTokens.add, {
      ...token,
      nameKey: nameKey(token.name),
      expiresAtMilliseconds,
    }).andThen(addedOf);
  },
  lockActiveCount: (user) =>
    many(on, sql.accounts.lock, { id: user })
      .andThen(() => one<{ count: number }>(on, sql.apiTokens.activeCount, { user }))
      .map(({ count }) => count),
  list: (user, page) =>
    pageOf<TokenRow>(on, sql.apiTokens, { user }, page).map(({ items, totalItems }) => ({
      items: items.map(tokenOf),
      totalItems,
    })),
  revoke: (user, id) => required(on, sql.apiTokens.revoke, { user, id }, apiTokenNotFound).map(() => undefined),
  caller: (hash) =>
    many<CallerRow & MembershipRow>(on, sql.apiTokens.caller, { hash }).andThen((rows) => {
      const [row] = rows;
      if (row === undefined) return errAsync(unauthenticated());
      const { userId, tokenId: id, readOnly, scoped, unnoted } = row;
      const credential = { kind: 'apiToken' as const, id, readOnly, scoped };
      const noted = unnoted ? run(on, sql.apiTokens.noteUse, { tokenId: id }) : okAsync();
      return noted.map(() => ({ userId, credential, memberships: membershipsOf(rows) }));
    }),
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

import {
  type ApiToken,
  type ApiTokens,
  apiTokenNameTaken,
  apiTokenNotFound,
  expiryInThePast,
  nameKey,
  type UserId,
  unauthenticated,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { standingOf } from './accounts.ts';
import { later } from './later.ts';
import { membershipsOf } from './memberships.ts';
import { pageOf, sortedBy } from './pages.ts';
import { type ApiTokenRow, type Unit } from './tables.ts';

/** Seconds for which one note of a token's use is enough. */
const noteSeconds = 60;

export const memoryApiTokens = ({ tables, now }: Unit): ApiTokens => {
  const { apiTokens, users } = tables;
  const isActive = ({ revoked, expiresAt }: ApiTokenRow) => !revoked && (expiresAt === undefined || expiresAt > now());
  const tokenOf = ({ userId: _, hash: __, revoked: ___, ...row }: ApiTokenRow, active: boolean): ApiToken => ({
    ...row,
    active,
  });
  const ofUser = (user: UserId) => [...apiTokens.values()].filter(({ userId }) => userId === user);
  return {
    add: ({ expiresAt: text, ...token }) => {
      const expiresAt = text === undefined ? undefined : new Date(text);
      if (expiresAt !== undefined && expiresAt <= now()) return errAsync(expiryInThePast());
      const isTaken = ofUser(token.userId).some(
        ({ name, revoked }) => !revoked && nameKey(name) === nameKey(token.name),
      );
      if (isTaken) return errAsync(apiTokenNameTaken());
      const added = { ...token, expiresAt, lastUsedAt: undefined, revoked: false, createdAt: now() };
      apiTokens.set(token.id, added);
      return okAsync(tokenOf(added, true));
    },
    lockActiveCount: (user) => okAsync(ofUser(user).filter(isActive).length),
    list: (user, page) => {
      const newestFirst = sortedBy(ofUser(user), ({ createdAt, id }) => [createdAt, id]).toReversed();
      const tokens = newestFirst.map((row) => tokenOf(row, isActive(row)));
      return okAsync(pageOf(tokens, page));
    },
    revoke: (user, id) => {
      const row = apiTokens.get(id);
      if (row?.userId !== user || row.revoked) return errAsync(apiTokenNotFound());
      apiTokens.set(id, { ...row, revoked: true });
      return okAsync();
    },
    caller: (hash) => {
      const row = [...apiTokens.values()].find((token) => token.hash === hash);
      const user = row && users.get(row.userId);
      const isGood = row !== undefined && isActive(row) && user !== undefined && standingOf(user) === 'active';
      if (!isGood) return errAsync(unauthenticated());
      const { id, userId, readOnly, lastUsedAt, organizations } = row;
      if (lastUsedAt === undefined || later(lastUsedAt, noteSeconds) <= now()) {
        apiTokens.set(id, { ...row, lastUsedAt: now() });
      }
      const memberships = [...membershipsOf(tables, userId)].filter(
        ([organization]) => organizations.length === 0 || organizations.includes(organization),
      );
      const credential = { kind: 'apiToken' as const, id, readOnly, scoped: organizations.length > 0 };
      return okAsync({ userId, credential, memberships: new Map(memberships) });
    },
  };
};

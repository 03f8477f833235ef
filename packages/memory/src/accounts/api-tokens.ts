import {
  type ApiToken,
  type ApiTokens,
  apiTokenNameTaken,
  apiTokenNotFound,
  expiryInThePast,
  nameKey,
  type UserId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { userLimit } from '../organizations/limit-overrides.ts';
import { pageOf, sortedBy } from '../pages.ts';
import type { ApiTokenRow } from '../tables/account-rows.ts';
import type { Unit } from '../tables/tables.ts';
import { isActive } from './callers.ts';

export const memoryApiTokens = (unit: Unit): ApiTokens => {
  const { tables, now } = unit;
  const { apiTokens } = tables;
  const lives = (token: ApiTokenRow) => isActive(token, unit);
  const ofUser = (user: UserId) => [...apiTokens.values()].filter(({ userId }) => userId === user);
  const newestFirst = (user: UserId) => sortedBy(ofUser(user), ({ createdAt, id }) => [createdAt, id]).toReversed();
  return {
    add: ({ expiresAt: text, ...token }) => {
      const expiresAt = text === undefined ? undefined : new Date(text);
      if (expiresAt !== undefined && expiresAt <= now()) return errAsync(expiryInThePast());
      const isTaken = ofUser(token.userId).some(
        ({ name, revoked }) => !revoked && nameKey(name) === nameKey(token.name),
      );
      if (isTaken) return errAsync(apiTokenNameTaken());
      const added = {
        ...token,
        expiresAt,
        lastUsedAt: undefined,
        lastUsedNetwork: undefined,
        revoked: false,
        createdAt: now(),
      };
      apiTokens.set(token.id, added);
      return okAsync(tokenOf(added, true));
    },
    lockActive: (user) =>
      okAsync({ used: ofUser(user).filter(lives).length, limit: userLimit(unit, user, 'apiTokens') }),
    organizationsOf: (ids) =>
      okAsync(
        new Map(
          ids.flatMap((id) => {
            const zone = tables.zones.get(id);
            return zone === undefined ? [] : [[id, zone.organizationId] as const];
          }),
        ),
      ),
    activeNames: (user) =>
      okAsync(
        newestFirst(user)
          .filter(lives)
          .map(({ name }) => name),
      ),
    revokeAllOf: (user) => {
      const living = ofUser(user).filter(lives);
      for (const row of living) apiTokens.set(row.id, { ...row, revoked: true });
      return okAsync(living.map(({ id }) => id));
    },
    list: (user, page) => {
      const tokens = newestFirst(user).map((row) => tokenOf(row, lives(row)));
      return okAsync(pageOf(tokens, page));
    },
    revoke: (user, id) => {
      const row = apiTokens.get(id);
      if (row?.userId !== user || row.revoked) return errAsync(apiTokenNotFound());
      apiTokens.set(id, { ...row, revoked: true });
      return okAsync();
    },
  };
};

const tokenOf = ({ userId: _, hash: __, revoked: ___, ...row }: ApiTokenRow, active: boolean): ApiToken => ({
  ...row,
  active,
});

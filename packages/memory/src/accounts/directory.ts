import type { AccountEntry, Directory, KeysetPageRequest, UserId } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { hasSecondFactor, organizationsOf } from '../organizations/memberships.ts';
import { organizationIn, zoneCount } from '../organizations/organizations.ts';
import type { UserRow } from '../tables/account-rows.ts';
import type { Tables, Unit } from '../tables/tables.ts';

export const memoryDirectory = ({ tables, limitsWith }: Unit): Directory => ({
  accounts: (request) =>
    okAsync(sliceOf([...tables.users.values()], request).map((user) => accountEntry(tables, user))),
  members: (organization, request) => {
    const members = [...(tables.organizations.get(organization)?.members ?? [])];
    const entries = members.flatMap(([user, { role, joinedAt }]) => {
      const row = tables.users.get(user);
      if (row === undefined) return [];
      const { id, email, firstName, lastName } = row;
      return [{ id, email, firstName, lastName, role, joinedAt, twoFactorEnabled: hasSecondFactor(tables, id) }];
    });
    return okAsync(sliceOf(entries, request));
  },
  organizations: ({ after, limit }) =>
    okAsync(
      [...tables.organizations]
        .filter(([id]) => after === undefined || id > after)
        .sort(([a], [b]) => a - b)
        .slice(0, limit)
        .map(([id, row]) => ({
          ...organizationIn(limitsWith)(id, row),
          members: row.members.size,
          zones: zoneCount(tables, id),
        })),
    ),
  // Entries are kept in the order recorded, and numbered by their ids.
  auditEntries: ({ after = '0', limit }: KeysetPageRequest<string>) =>
    okAsync([...tables.auditLog.values()].slice(Number(after), Number(after) + limit)),
});

const sliceOf = <T extends { readonly id: UserId }>(
  items: readonly T[],
  { after, limit }: KeysetPageRequest<UserId>,
): readonly T[] =>
  items
    .filter(({ id }) => after === undefined || id > after)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);

function accountEntry(tables: Tables, user: UserRow): AccountEntry {
  const { id, email, firstName, lastName, active, emailVerified, createdAt } = user;
  return {
    id,
    email,
    firstName,
    lastName,
    active,
    emailVerified,
    twoFactorEnabled: hasSecondFactor(tables, id),
    createdAt,
    organizations: organizationsOf(tables, id).length,
  };
}

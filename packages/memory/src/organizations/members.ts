import { type Member, type Members, memberNotFound, type OrganizationId, type UserId } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf, sortedBy } from '../pages.ts';
import type { MemberRow } from '../tables/organization-rows.ts';
import { type Unit } from '../tables/tables.ts';
import { hasSecondFactor, storedOrganization } from './memberships.ts';

export const memoryMembers = ({ tables, now }: Unit): Members => {
  const rows = (id: OrganizationId) => [...(tables.organizations.get(id)?.members ?? [])];
  const memberOf = (id: OrganizationId, user: UserId, { role, joinedAt }: MemberRow): Member => ({
    organizationId: id,
    user,
    role,
    joinedAt,
    twoFactorEnabled: hasSecondFactor(tables, user),
  });
  const write = (id: OrganizationId, members: ReadonlyMap<UserId, MemberRow>) =>
    tables.organizations.set(id, { ...storedOrganization(tables, id), members });
  const rowOf = (id: OrganizationId, user: UserId) => tables.organizations.get(id)?.members.get(user);
  return {
    list: (id, page) => {
      const members = rows(id).map(([user, row]) => memberOf(id, user, row));
      const longestFirst = sortedBy(members, ({ joinedAt, user }) => [joinedAt, user]);
      return okAsync(pageOf(longestFirst, page));
    },
    byUser: (id, user) => {
      const row = rowOf(id, user);
      return row === undefined ? errAsync(memberNotFound()) : okAsync(memberOf(id, user, row));
    },
    count: (id) => okAsync(rows(id).length),
    ownerCount: (id) => okAsync(rows(id).filter(([, { role }]) => role === 'owner').length),
    add: (id, user, role) => {
      const row = rowOf(id, user) ?? { role, joinedAt: now() };
      write(id, new Map([...rows(id), [user, row]]));
      return okAsync(memberOf(id, user, row));
    },
    setRole: (id, user, role) => {
      const row = rowOf(id, user);
      if (row === undefined) return errAsync(memberNotFound());
      write(id, new Map([...rows(id), [user, { ...row, role }]]));
      return okAsync(memberOf(id, user, { ...row, role }));
    },
    remove: (id, user) => {
      if (rowOf(id, user) === undefined) return errAsync(memberNotFound());
      write(id, new Map(rows(id).filter(([member]) => member !== user)));
      return okAsync();
    },
  };
};

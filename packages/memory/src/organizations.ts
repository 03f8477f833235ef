import {
  type Member,
  memberNotFound,
  nameKey,
  type Organization,
  OrganizationId,
  type OrganizationNotFound,
  type Organizations,
  organizationNotFound,
  type UserId,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import { hasSecondFactor, membershipsOf, organizationsOf } from './memberships.ts';
import { pageOf, sortedBy } from './pages.ts';
import type { MemberRow, OrganizationRow, Tables, Unit } from './tables.ts';
import { codePointKey } from './zones.ts';

export const memoryOrganizations = (unit: Unit): Organizations => {
  const { tables, now } = unit;
  const { organizations } = tables;
  const byId = (id: OrganizationId): Result<Organization, OrganizationNotFound> => {
    const row = organizations.get(id);
    return row === undefined ? err(organizationNotFound()) : ok(organizationOf(id, row));
  };
  return {
    found: ({ name, owner }) => {
      const id = nextId(tables);
      const stamp = { createdAt: now(), updatedAt: now(), revision: 1 };
      const members = new Map([[owner, { role: 'owner' as const, joinedAt: now() }]]);
      const row = { name, enforceTwoFactor: false, ...stamp, members };
      organizations.set(id, row);
      return okAsync(organizationOf(id, row));
    },
    lockOwnedCount: (user) =>
      okAsync(organizationsOf(tables, user).filter(([, { members }]) => members.get(user)?.role === 'owner').length),
    list: (ids, page) => {
      const present = [...organizations].filter(([id]) => ids.includes(id)).map(([id, row]) => organizationOf(id, row));
      const byName = sortedBy(present, ({ name, id }) => [codePointKey(nameKey(name)), id]);
      return okAsync(pageOf(byName, page));
    },
    byId: (id) => byId(id).asyncAndThen((organization) => okAsync(organization)),
    lock: (id) => byId(id).asyncAndThen((organization) => okAsync(organization)),
    save: (id, { name, enforceTwoFactor }) => {
      const row = stored(tables, id);
      const saved = { ...row, name, enforceTwoFactor, updatedAt: now(), revision: row.revision + 1 };
      organizations.set(id, saved);
      return okAsync(organizationOf(id, saved));
    },
    remove: (id) => {
      if (zonesOf(tables, id) > 0) throw new Error('An organization with zones cannot be removed.');
      removeOf(id, tables.invitations);
      removeOf(id, tables.loadBalancers);
      removeOf(id, tables.originServers);
      organizations.delete(id);
      return okAsync();
    },
    zoneCount: (id) => okAsync(zonesOf(tables, id)),
    lockMembership: (organization, user) => okAsync(membershipsOf(tables, user).get(organization)),
    lockEnforcing: (user) =>
      okAsync(organizationsOf(tables, user).flatMap(([id, { enforceTwoFactor }]) => (enforceTwoFactor ? [id] : []))),
    ...memoryMembers(unit),
    shareOrganization: (first, second, among) =>
      okAsync(
        [...organizations].some(
          ([id, { members }]) => (among?.includes(id) ?? true) && members.has(first) && members.has(second),
        ),
      ),
  };
};

type Members = Pick<
  Organizations,
  'members' | 'member' | 'memberCount' | 'ownerCount' | 'addMember' | 'setRole' | 'removeMember'
>;

const memoryMembers = ({ tables, now }: Unit): Members => {
  const rows = (id: OrganizationId) => [...(tables.organizations.get(id)?.members ?? [])];
  const memberOf = (id: OrganizationId, user: UserId, { role, joinedAt }: MemberRow): Member => ({
    organizationId: id,
    user,
    role,
    joinedAt,
    twoFactorEnabled: hasSecondFactor(tables, user),
  });
  const write = (id: OrganizationId, members: ReadonlyMap<UserId, MemberRow>) =>
    tables.organizations.set(id, { ...stored(tables, id), members });
  const found = (id: OrganizationId, user: UserId) => tables.organizations.get(id)?.members.get(user);
  return {
    members: (id, page) => {
      const members = rows(id).map(([user, row]) => memberOf(id, user, row));
      const longestFirst = sortedBy(members, ({ joinedAt, user }) => [joinedAt, user]);
      return okAsync(pageOf(longestFirst, page));
    },
    member: (id, user) => {
      const row = found(id, user);
      return row === undefined ? errAsync(memberNotFound()) : okAsync(memberOf(id, user, row));
    },
    memberCount: (id) => okAsync(rows(id).length),
    ownerCount: (id) => okAsync(rows(id).filter(([, { role }]) => role === 'owner').length),
    addMember: (id, user, role) => {
      const row = found(id, user) ?? { role, joinedAt: now() };
      write(id, new Map([...rows(id), [user, row]]));
      return okAsync(memberOf(id, user, row));
    },
    setRole: (id, user, role) => {
      const row = found(id, user);
      if (row === undefined) return errAsync(memberNotFound());
      write(id, new Map([...rows(id), [user, { ...row, role }]]));
      return okAsync(memberOf(id, user, { ...row, role }));
    },
    removeMember: (id, user) => {
      if (found(id, user) === undefined) return errAsync(memberNotFound());
      write(id, new Map(rows(id).filter(([member]) => member !== user)));
      return okAsync();
    },
  };
};

const organizationOf = (id: OrganizationId, { members: _, ...row }: OrganizationRow): Organization => ({ id, ...row });

/** Removes what belongs to the organization. */
function removeOf<K>(organization: OrganizationId, rows: Map<K, { readonly organizationId: OrganizationId }>): void {
  for (const [id, { organizationId }] of rows) if (organizationId === organization) rows.delete(id);
}

function nextId({ organizations, lastIds }: Tables): OrganizationId {
  const id = OrganizationId.parse(Math.max(lastIds.get('organization') ?? 0, ...organizations.keys()) + 1);
  lastIds.set('organization', id);
  return id;
}

const zonesOf = ({ zones }: Tables, id: OrganizationId): number =>
  [...zones.values()].filter(({ organizationId }) => organizationId === id).length;

function stored({ organizations }: Tables, id: OrganizationId): OrganizationRow {
  const row = organizations.get(id);
  if (row === undefined) throw new Error('The organization does not exist.');
  return row;
}

import { type Caller, OrganizationId, OrganizationName, type Role, SessionId, UserId } from '@zonewright/core';
import type { OrganizationRow } from '../../src/tables.ts';
import { inTables, type World } from './world.ts';

/** An organization without members and backends unless the test says otherwise. */
export const anOrganization = (world: World, changes: Partial<OrganizationRow> = {}): OrganizationId =>
  inTables(world, ({ organizations }) => {
    const id = OrganizationId.parse(organizations.size + 1);
    organizations.set(id, { name: OrganizationName.parse('Example'), members: new Map(), backends: [], ...changes });
    return id;
  });

/** Gives a user a role in an organization; without one, takes the membership away. */
export const setRole = (world: World, organization: OrganizationId, user: UserId, role: Role | undefined): void =>
  inTables(world, ({ organizations }) => {
    const row = organizations.get(organization)!;
    const members = new Map(row.members);
    if (role === undefined) members.delete(user);
    else members.set(user, role);
    organizations.set(organization, { ...row, members });
  });

/** Somebody who just proved who they are, with the memberships stored now. */
export const callerOf = (world: World, userId: UserId): Caller => ({
  userId,
  sessionId: SessionId.parse(world.randomness.uuid()),
  memberships: inTables(world, ({ organizations }) => {
    const mine = [...organizations].map(([id, { members }]) => [id, members.get(userId)] as const);
    return new Map(mine.filter((entry): entry is readonly [OrganizationId, Role] => entry[1] !== undefined));
  }),
});

/** Somebody new with a role in an organization. */
export function aMember(world: World, organization: OrganizationId, role: Role): Caller {
  const userId = UserId.parse(world.randomness.uuid());
  setRole(world, organization, userId, role);
  return callerOf(world, userId);
}

/** Somebody new who owns an organization of their own, and belongs to no other. */
export const anOutsider = (world: World): Caller => aMember(world, anOrganization(world), 'owner');

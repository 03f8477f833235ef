import {
  type ApiTokenId,
  type BackendReference,
  type Caller,
  OrganizationId,
  OrganizationName,
  type Role,
  type SessionCaller,
  SessionId,
  type TokenLimits,
  UserId,
} from '@zonewright/core';
import { membershipsOf, type OrganizationRow } from '@zonewright/memory';
import { addBackends } from './backends.ts';
import { noClient } from './people.ts';
import { aWorld, inTables, type World } from './world.ts';

/** An organization, by default without members and backends. */
export const anOrganization = (
  world: World,
  { backends = [], ...changes }: Partial<OrganizationRow> & { readonly backends?: readonly BackendReference[] } = {},
): OrganizationId =>
  inTables(world, (tables) => {
    const { organizations } = tables;
    const id = OrganizationId.parse(organizations.size + 1);
    const stamp = { createdAt: world.clock.now(), updatedAt: world.clock.now(), revision: 1 };
    const name = OrganizationName.parse('Example');
    organizations.set(id, { name, enforceTwoFactor: false, ...stamp, members: new Map(), retention: {}, ...changes });
    addBackends(tables, id, backends);
    return id;
  });

export const changeOrganization = (world: World, id: OrganizationId, changes: Partial<OrganizationRow>): void =>
  inTables(world, ({ organizations }) => {
    organizations.set(id, { ...organizations.get(id)!, ...changes });
  });

/** Sets a user's role in an organization; without one, removes the membership. */
export const setRole = (world: World, organization: OrganizationId, user: UserId, role: Role | undefined): void =>
  inTables(world, ({ organizations }) => {
    const row = organizations.get(organization)!;
    const members = new Map(row.members);
    if (role === undefined) members.delete(user);
    else members.set(user, { role, joinedAt: members.get(user)?.joinedAt ?? world.clock.now() });
    organizations.set(organization, { ...row, members });
  });

/** A user who has just signed in, with their current memberships. */
export const callerOf = (world: World, userId: UserId): SessionCaller => ({
  userId,
  credential: {
    kind: 'session',
    id: SessionId.parse(world.randomness.uuid()),
    provider: undefined,
    confirmed: true,
    confirmableBy: ['password'],
  },
  memberships: inTables(world, (tables) => membershipsOf(tables, userId)),
  client: noClient,
});

/** A program with an API token of the user, with their current memberships. */
export const programOf = (
  world: World,
  userId: UserId,
  { readOnly = false, permissions = ['admin'], zones }: Partial<TokenLimits & { readonly readOnly: boolean }> = {},
): Caller => ({
  ...callerOf(world, userId),
  credential: {
    kind: 'apiToken',
    id: world.randomness.uuid() as ApiTokenId,
    readOnly,
    scoped: false,
    permissions,
    zones,
  },
});

/** A new user with a role in an organization. */
export function aMember(world: World, organization: OrganizationId, role: Role): SessionCaller {
  const userId = UserId.parse(world.randomness.uuid());
  setRole(world, organization, userId, role);
  return callerOf(world, userId);
}

/** A new user who owns an organization and belongs to no other. */
export const anOutsider = (world: World): SessionCaller => aMember(world, anOrganization(world), 'owner');

/** A world with an organization and its owner. */
export const aWorldWithOrganization = () => {
  const world = aWorld();
  const organization = anOrganization(world);
  return { world, organization, owner: aMember(world, organization, 'owner') };
};

import {
  type Member,
  memberNotFound,
  nameKey,
  type Organization,
  type OrganizationId,
  type Organizations,
  organizationNotFound,
  type Role,
  type UserId,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { many, maybe, one, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';
import type { Statement } from './statement.ts';

type NotFound = ReturnType<typeof organizationNotFound>;
type NoMember = ReturnType<typeof memberNotFound>;

export const postgresOrganizations = (on: Connection): Organizations => ({
  found: ({ name, owner }) => one(on, sql.organizations.found, { name, nameKey: nameKey(name), owner }),
  // Locked: two units that count before they found must not both find room for one more.
  lockOwnedCount: (user) =>
    many(on, sql.accounts.lock, { id: user })
      .andThen(() => one<{ count: number }>(on, sql.organizations.ownedCount, { user }))
      .map(({ count }) => count),
  list: (ids, page) => pageOf(on, sql.organizations, { ids }, page),
  byId: (id) => required<Organization, NotFound>(on, sql.organizations.byId, { id }, organizationNotFound),
  lock: (id) => required<Organization, NotFound>(on, sql.organizations.lock, { id }, organizationNotFound),
  save: (id, { name, enforceTwoFactor }) =>
    one(on, sql.organizations.save, { id, name, nameKey: nameKey(name), enforceTwoFactor }),
  remove: (id) => run(on, sql.organizations.remove, { id }),
  zoneCount: (id) => count(on, sql.organizations.zoneCount, id),
  lockMembership: (organization, user) =>
    maybe<{ role: Role; enforced: boolean }>(on, sql.organizations.lockMembership, { organization, user }).andThen(
      (row) =>
        row === undefined
          ? okAsync(undefined)
          : lacksSecondFactor(on, user, row).map((needsTwoFactor) => ({ role: row.role, needsTwoFactor })),
    ),
  lockEnforcing: (user) =>
    many<{ id: OrganizationId }>(on, sql.organizations.lockEnforcing, { user }).map((rows) => rows.map(({ id }) => id)),
  ...postgresMembers(on),
  shareOrganization: (first, second, among) =>
    one<{ shared: boolean }>(on, sql.organizations.shareOrganization, { first, second, among: among ?? null }).map(
      ({ shared }) => shared,
    ),
});

type Members = Pick<
  Organizations,
  'members' | 'member' | 'memberCount' | 'ownerCount' | 'addMember' | 'setRole' | 'removeMember'
>;

const postgresMembers = (on: Connection): Members => ({
  members: (id, page) =>
    pageOf(on, { list: sql.organizations.members, total: sql.organizations.memberCount }, { id }, page),
  member: (id, user) => member(on, id, user),
  memberCount: (id) => count(on, sql.organizations.memberCount, id),
  ownerCount: (id) => count(on, sql.organizations.ownerCount, id),
  addMember: (id, user, role) =>
    run(on, sql.organizations.addMember, { id, user, role }).andThen(() =>
      one<Member>(on, sql.organizations.member, { id, user }),
    ),
  setRole: (id, user, role) =>
    run(on, sql.organizations.setRole, { id, user, role }).andThen(() => member(on, id, user)),
  removeMember: (id, user) =>
    required(on, sql.organizations.removeMember, { id, user }, memberNotFound).map(() => undefined),
});

const count = (on: Connection, statement: Statement, id: OrganizationId): ResultAsync<number, never> =>
  one<{ total: number }>(on, statement, { id }).map(({ total }) => total);

const member = (on: Connection, id: OrganizationId, user: UserId): ResultAsync<Member, NoMember> =>
  required<Member, NoMember>(on, sql.organizations.member, { id, user }, memberNotFound);

/**
 * Read once the organization is locked: a second factor that was switched off while it did not yet demand one must be
 * seen to be off.
 */
const lacksSecondFactor = (
  on: Connection,
  user: UserId,
  { enforced }: { readonly enforced: boolean },
): ResultAsync<boolean, never> =>
  enforced
    ? one<{ enabled: boolean }>(on, sql.twoFactor.isEnabled, { user }).map(({ enabled }) => !enabled)
    : okAsync(false);

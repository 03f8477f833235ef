import { nameKey, type Organization, type Organizations, organizationNotFound } from '@zonewright/core';
import type { Connection } from './database.ts';
import { many, one, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';

type NotFound = ReturnType<typeof organizationNotFound>;

export const postgresOrganizations = (on: Connection): Organizations => ({
  create: ({ name, owner }) => one(on, sql.organizations.create, { name, nameKey: nameKey(name), owner }),
  // Locked: two units that count before they create must not both find room for one more.
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
});

import type { OrganizationId, Organizations, Role } from '@zonewright/core';
import type { Connection } from './database.ts';
import { maybe, one } from './query.ts';
import { sql } from './sql.ts';

export const postgresOrganizations = (on: Connection): Organizations => ({
  found: ({ name, owner }) =>
    one<{ id: OrganizationId }>(on, sql.organizations.found, { name, owner }).map(({ id }) => id),
  lockRole: (organization, user) =>
    maybe<{ role: Role }>(on, sql.organizations.lockRole, { organization, user }).map((row) => row?.role),
  lockZoneCount: (organization) =>
    one(on, sql.organizations.lock, { organization })
      .andThen(() => one<{ count: number }>(on, sql.organizations.zoneCount, { organization }))
      .map(({ count }) => count),
});

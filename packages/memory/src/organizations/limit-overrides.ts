import type { OrganizationId, UsageLimits } from '@zonewright/core';
import {
  type AccountLimits,
  accountNotFound,
  type LimitOverrides,
  organizationNotFound,
  type UserId,
  type UserLimitName,
  userLimitInForce,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import type { Unit } from '../tables/tables.ts';
import { storedOrganization } from './memberships.ts';

export const memoryLimitOverrides = ({ tables }: Unit): LimitOverrides => ({
  of: (id) => {
    const row = tables.organizations.get(id);
    return row === undefined ? errAsync(organizationNotFound()) : okAsync(row.limits ?? {});
  },
  set: (id, limits) => {
    const row = storedOrganization(tables, id);
    tables.organizations.set(id, { ...row, limits, revision: row.revision + 1 });
    return okAsync();
  },
});

/** A limit in force for a user. */
export const userLimit = ({ tables, limits }: Pick<Unit, 'tables' | 'limits'>, user: UserId, name: UserLimitName) =>
  userLimitInForce(name, tables.users.get(user)?.limits ?? {}, limits);

/** The limits of single users. */
export const memoryUserLimits = (unit: Unit): AccountLimits => ({
  of: (user) => {
    const row = unit.tables.users.get(user);
    if (row === undefined) return errAsync(accountNotFound());
    const inForce = {
      organizations: userLimit(unit, user, 'organizations'),
      apiTokens: userLimit(unit, user, 'apiTokens'),
    };
    return okAsync({ own: row.limits, inForce });
  },
  set: (user, own) => {
    const row = unit.tables.users.get(user);
    if (row !== undefined) unit.tables.users.set(user, { ...row, limits: own });
    return okAsync();
  },
});

/** The limits in force in an organization. */
export const limitsIn = ({ tables, limitsWith }: Unit, organization: OrganizationId): UsageLimits =>
  limitsWith(tables.organizations.get(organization)?.limits);

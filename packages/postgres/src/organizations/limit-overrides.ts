import { type AccountLimits, accountNotFound, type LimitOverrides, organizationNotFound } from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { required, run } from '../connection/query.ts';
import { sql } from '../sql.ts';
import { ownLimitsOf, type StoredLimits, userLimitsOf } from './limits.ts';

export const postgresLimitOverrides = (on: Connection): LimitOverrides => ({
  of: (id) =>
    required<{ readonly limits: string }>(on, sql.limitOverrides.of, { id })
      .mapErr(organizationNotFound)
      .map(({ limits }) => ownLimitsOf(limits)),
  set: (id, own) => run(on, sql.limitOverrides.set, { id, limits: JSON.stringify(own) }),
});

/** The limits of single users. */
export const postgresUserLimits = (on: Connection, limits: StoredLimits): AccountLimits => ({
  of: (user) =>
    required<{ readonly limits: string }>(on, sql.limitOverrides.ofUser, { user })
      .mapErr(accountNotFound)
      .map((row) => ({
        own: userLimitsOf(row.limits),
        inForce: {
          organizations: limits.ofUser('organizations', row.limits),
          apiTokens: limits.ofUser('apiTokens', row.limits),
        },
      })),
  set: (user, own) => run(on, sql.limitOverrides.setUser, { user, limits: JSON.stringify(own) }),
});

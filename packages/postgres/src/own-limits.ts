import { type OrganizationNotFound, type OwnLimits, organizationNotFound } from '@zonewright/core';
import type { Connection } from './database.ts';
import { ownLimitsOf } from './limits.ts';
import { required, run } from './query.ts';
import { sql } from './sql.ts';

export const postgresOwnLimits = (on: Connection): OwnLimits => ({
  of: (id) =>
    required<{ readonly limits: string }, OrganizationNotFound>(on, sql.ownLimits.of, { id }, organizationNotFound).map(
      ({ limits }) => ownLimitsOf(limits),
    ),
  set: (id, own) => run(on, sql.ownLimits.set, { id, limits: JSON.stringify(own) }),
});

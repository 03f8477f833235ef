import { type OwnLimits, organizationNotFound } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { storedOrganization } from './memberships.ts';
import type { Unit } from './tables.ts';

export const memoryOwnLimits = ({ tables }: Unit): OwnLimits => ({
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

import type { Retentions } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import type { Unit } from '../tables/tables.ts';

/** Stored without effect: nothing in memory lives long enough to expire. */
export const memoryRetentions = ({ tables: { organizations } }: Unit): Retentions => ({
  of: (organization) => okAsync(organizations.get(organization)?.retention ?? {}),
  set: (organization, what, retention) => {
    const row = organizations.get(organization);
    if (row !== undefined) {
      const { [what]: _, ...others } = row.retention;
      organizations.set(organization, {
        ...row,
        retention: retention === undefined ? others : { ...others, [what]: retention },
      });
    }
    return okAsync();
  },
});

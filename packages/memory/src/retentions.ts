import type { Retentions } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import type { Unit } from './tables.ts';

/** Remembered only: nothing in memory lasts as long as a retention. */
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

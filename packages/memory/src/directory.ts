import type { Directory, KeysetPageRequest } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { organizationIn } from './organizations.ts';
import type { Unit } from './tables.ts';
import { zoneCount } from './zones.ts';

export const memoryDirectory = ({ tables, limitsWith }: Unit): Directory => ({
  organizations: ({ after, limit }) =>
    okAsync(
      [...tables.organizations]
        .filter(([id]) => after === undefined || id > after)
        .sort(([a], [b]) => a - b)
        .slice(0, limit)
        .map(([id, row]) => ({
          ...organizationIn(limitsWith)(id, row),
          members: row.members.size,
          zones: zoneCount(tables, id),
        })),
    ),
  // Entries are kept in the order recorded, and numbered by their ids.
  auditEntries: ({ after = '0', limit }: KeysetPageRequest<string>) =>
    okAsync([...tables.auditLog.values()].slice(Number(after), Number(after) + limit)),
});

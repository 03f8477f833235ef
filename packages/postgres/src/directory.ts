import type { Directory, OrganizationEntry, UsageLimits } from '@zonewright/core';
import { type EntryRow, entryOf } from './audit-log.ts';
import type { Connection } from './database.ts';
import { many } from './query.ts';
import { sql } from './sql.ts';

export const postgresDirectory = (on: Connection, limits: UsageLimits): Directory => ({
  organizations: (stretch) =>
    many<Omit<OrganizationEntry, 'limits'>>(on, sql.directory.organizations, { ...stretch }).map((rows) =>
      rows.map((row) => ({ ...row, limits })),
    ),
  auditEntries: (stretch) =>
    many<EntryRow>(on, sql.directory.auditEntries, { ...stretch }).map((rows) => rows.map(entryOf)),
});

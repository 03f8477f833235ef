import type { Directory, OrganizationEntry } from '@zonewright/core';
import { type EntryRow, entryOf } from './audit-log.ts';
import type { Connection } from './database.ts';
import { many } from './query.ts';
import { sql } from './sql.ts';

export const postgresDirectory = (on: Connection): Directory => ({
  organizations: (stretch) => many<OrganizationEntry>(on, sql.directory.organizations, { ...stretch }),
  auditEntries: (stretch) =>
    many<EntryRow>(on, sql.directory.auditEntries, { ...stretch }).map((rows) => rows.map(entryOf)),
});

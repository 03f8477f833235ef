import type { AccountEntry, Directory, MemberEntry, OrganizationEntry } from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { many } from '../connection/query.ts';
import { type EntryRow, entryOf } from '../organizations/audit-log.ts';
import type { StoredLimits } from '../organizations/limits.ts';
import { type OrganizationRow, organizationIn } from '../organizations/organizations.ts';
import { sql } from '../sql.ts';

type EntryOfOrganization = OrganizationRow & Pick<OrganizationEntry, 'members' | 'zones'>;

export const postgresDirectory = (on: Connection, limits: StoredLimits): Directory => ({
  accounts: (slice) => many<AccountEntry>(on, sql.directory.accounts, { ...slice }),
  members: (organization, slice) => many<MemberEntry>(on, sql.directory.members, { organization, ...slice }),
  organizations: (page) =>
    many<EntryOfOrganization>(on, sql.directory.organizations, { ...page }).map((rows) =>
      rows.map((row) => organizationIn(limits)(row)),
    ),
  auditEntries: (page) => many<EntryRow>(on, sql.directory.auditEntries, { ...page }).map((rows) => rows.map(entryOf)),
});

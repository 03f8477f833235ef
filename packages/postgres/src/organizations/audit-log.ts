import type { AuditAction, AuditFilter, AuditLog, OrganizationId, RecordedAuditEntry, UserId } from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { pageOf, run } from '../connection/query.ts';
import { sql } from '../sql.ts';

/** An audit entry as selected. */
export interface EntryRow {
  readonly id: string;
  readonly at: Date;
  readonly action: AuditAction;
  readonly actor: UserId | null;
  readonly credential: string | null;
  readonly organization: OrganizationId | null;
  readonly objects: Readonly<Record<string, string>>;
  readonly network: string | null;
  readonly userAgent: string | null;
}

export const postgresAuditLog = (on: Connection): AuditLog => ({
  record: ({ client: { network, userAgent }, ...entry }) =>
    run(on, sql.auditLog.record, { ...entry, network, userAgent }),
  listOfAccount: (filter, page) =>
    pageOf(on, { list: sql.auditLog.listOfAccount, total: sql.auditLog.totalOfAccount }, { ...filter }, page, entryOf),
  list: (filter, page) => {
    const { list, total, unfilteredTotal } = sql.auditLog;
    const statements = { list, total: isUnfiltered(filter) ? unfilteredTotal : total };
    return pageOf(on, statements, { ...filter, zones: filter.zones ?? null }, page, entryOf);
  },
});

/** Whether all entries of the organization are listed. */
const isUnfiltered = ({ actions, zones, actor, since, until }: AuditFilter): boolean =>
  actions.length === 0 && [zones, actor, since, until].every((value) => value === undefined);

/** Converts a row to an entry. */
export const entryOf = ({
  actor,
  credential,
  organization,
  network,
  userAgent,
  ...row
}: EntryRow): RecordedAuditEntry => ({
  ...row,
  actor: actor ?? undefined,
  credential: credential ?? undefined,
  organization: organization ?? undefined,
  client: { network: network ?? undefined, userAgent: userAgent ?? undefined },
});

import type { AccountAuditFilter, AuditFilter, AuditLog, RecordedAuditEntry } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { pageOf } from '../pages.ts';
import type { Unit } from '../tables/tables.ts';

export const memoryAuditLog = ({ tables: { auditLog }, now }: Unit): AuditLog => ({
  record: (entry) => {
    const id = String(auditLog.size + 1);
    auditLog.set(id, { ...entry, id, at: now() });
    return okAsync();
  },
  listOfAccount: (filter, page) =>
    okAsync(pageOf([...auditLog.values()].filter(matchesAccount(filter)).toReversed(), page)),
  list: (filter, page) => okAsync(pageOf([...auditLog.values()].filter(matches(filter)).toReversed(), page)),
});

const matches =
  ({ organization, zones, actor, ...filter }: AuditFilter) =>
  (entry: RecordedAuditEntry): boolean =>
    entry.organization === organization &&
    isAbout(entry, zones) &&
    (actor === undefined || entry.actor === actor) &&
    isWithin(filter, entry);

const matchesAccount =
  ({ user, ...filter }: AccountAuditFilter) =>
  (entry: RecordedAuditEntry): boolean =>
    entry.organization === undefined && entry.actor === user && isWithin(filter, entry);

const isWithin = (
  { actions, since, until }: Pick<AuditFilter, 'actions' | 'since' | 'until'>,
  { action, at }: RecordedAuditEntry,
): boolean =>
  (actions.length === 0 || actions.includes(action)) &&
  (since === undefined || at >= since) &&
  (until === undefined || at < until);

/** Whether the entry is about one of the zones, or about none. */
const isAbout = ({ objects: { zone } }: RecordedAuditEntry, zones: AuditFilter['zones']): boolean =>
  zone === undefined || zones === undefined || zones.some((id) => id === zone);

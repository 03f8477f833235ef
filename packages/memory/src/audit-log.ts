import type { AuditFilter, AuditLog, RecordedAuditEntry } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { pageOf } from './pages.ts';
import type { Unit } from './tables.ts';

export const memoryAuditLog = ({ tables: { auditLog }, now }: Unit): AuditLog => ({
  record: (entry) => {
    const id = String(auditLog.size + 1);
    auditLog.set(id, { ...entry, id, at: now() });
    return okAsync();
  },
  list: (filter, page) => okAsync(pageOf([...auditLog.values()].filter(matches(filter)).toReversed(), page)),
});

const matches =
  ({ organization, zones, actions, actor, since, until }: AuditFilter) =>
  (entry: RecordedAuditEntry): boolean =>
    entry.organization === organization &&
    isAbout(entry, zones) &&
    (actions.length === 0 || actions.includes(entry.action)) &&
    (actor === undefined || entry.actor === actor) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until);

/** Whether the entry is about one of the zones, or about none. */
const isAbout = ({ objects: { zone } }: RecordedAuditEntry, zones: AuditFilter['zones']): boolean =>
  zone === undefined || zones === undefined || zones.some((id) => id === zone);

import {
  type Application,
  type AppliedChangeSet,
  type ChangeSet,
  type ChangeSetVersion,
  utf8Bytes,
  type ZoneId,
} from '@zonewright/core';
import type { ChangeSetRow } from '../tables/change-set-rows.ts';
import type { Unit } from '../tables/tables.ts';

/** The row of a change set that is open and at this revision. */
export function openRow(unit: Unit, zone: ZoneId, { id, revision }: ChangeSetVersion): ChangeSetRow | undefined {
  const row = unit.tables.changeSets.get(id);
  const exists = row?.zoneId === zone && row.revision === revision;
  return exists && isOpen(shownIn(unit)(row)) ? row : undefined;
}

/** Marks a change set as applied. */
export function markApplied(
  { tables: { changeSets } }: Unit,
  { id }: AppliedChangeSet,
  application: Application,
): void {
  const row = changeSets.get(id);
  if (row === undefined) return;
  changeSets.set(id, { ...row, application, updatedAt: application.at, revision: row.revision + 1 });
}

/** Change sets as they are shown: whether one is open depends on the time. */
export const shownIn =
  ({ tables, now }: Unit) =>
  ({ mergedRevision, merge, ...row }: ChangeSetRow): ChangeSet => {
    const ended = row.endsAt <= now() ? 'discarded' : 'open';
    return {
      ...row,
      bytes: bytesOf(row),
      merge: mergedRevision === row.revision ? merge : undefined,
      status: row.application === undefined ? ended : 'applied',
      promotion: [...tables.promotions.values()].find(({ changeSet }) => changeSet === row.id)?.id,
    };
  };

/** Whether a change set is open. */
export const isOpen = ({ status }: Pick<ChangeSet, 'status'>): boolean => status === 'open';

/** What a change set counts towards the quota. */
export const bytesOf = ({
  patch,
  operations,
  disputed,
}: Pick<ChangeSet, 'patch' | 'operations' | 'disputed'>): number =>
  [patch, operations, disputed].reduce((sum, document) => sum + utf8Bytes(document?.text ?? ''), 0);

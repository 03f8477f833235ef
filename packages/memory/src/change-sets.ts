import {
  type Application,
  type ChangeSet,
  type ChangeSetId,
  type ChangeSetSort,
  type ChangeSetSummary,
  type ChangeSets,
  type ChangeSetVersion,
  changeSetClosed,
  changeSetLifetimeSeconds,
  changeSetNotFound,
  searchKey,
  tooManyChangeSets,
  type ZoneId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import type { ChangeSetRow } from './change-set-rows.ts';
import { pageOf } from './pages.ts';
import { secondsAfter } from './seconds-after.ts';
import type { Unit } from './tables.ts';

export const memoryChangeSets = (unit: Unit): ChangeSets => {
  const { tables, now } = unit;
  const { changeSets } = tables;
  const of = (zone: ZoneId) => [...changeSets.values()].filter(({ zoneId }) => zoneId === zone).map(shownIn(unit));
  const stored = (row: ChangeSetRow): ChangeSet => {
    changeSets.set(row.id, row);
    return shownIn(unit)(row);
  };
  return {
    add: (set, limit) => {
      if (of(set.zoneId).filter(isOpen).length >= limit) return errAsync(tooManyChangeSets());
      const stamps = { createdAt: now(), updatedAt: now(), endsAt: secondsAfter(now(), changeSetLifetimeSeconds) };
      return okAsync(stored({ ...set, ...stamps, application: undefined, revision: 1 }));
    },
    byId: (zone, id) => {
      const found = of(zone).find((set) => set.id === id);
      return found === undefined ? errAsync(changeSetNotFound()) : okAsync(found);
    },
    list: (zone, { statuses, conflicted, createdBy, search }, sort, page) => {
      const statusOf = ({ id, status }: ChangeSet) =>
        isOpen({ status }) && conflicted.includes(id) ? 'conflicted' : status;
      const found = of(zone).filter(
        (set) =>
          (statuses.length === 0 || statuses.includes(statusOf(set))) &&
          (createdBy === undefined || set.createdBy === createdBy) &&
          (search === undefined || searchKey(set.title).includes(searchKey(search))),
      );
      return okAsync(pageOf(found.toSorted(inOrderOf(sort)).map(summaryOf), page));
    },
    behind: (zone) =>
      okAsync(
        of(zone).filter(
          (set) => isOpen(set) && (set.disputed !== undefined || set.base !== tables.zones.get(zone)?.revision),
        ),
      ),
    save: ({ id, zoneId, revision, title, description, base, patch, operations, disputed }) => {
      const row = openRow(unit, zoneId, { id, revision });
      if (row === undefined) return errAsync(changeSetClosed());
      const stamps = {
        updatedAt: now(),
        endsAt: secondsAfter(now(), changeSetLifetimeSeconds),
        revision: revision + 1,
      };
      return okAsync(stored({ ...row, title, description, base, patch, operations, disputed, ...stamps }));
    },
    discard: (set) => {
      const zone = changeSets.get(set.id)?.zoneId;
      const row = zone && openRow(unit, zone, set);
      if (row === undefined) return errAsync(changeSetClosed());
      stored({ ...row, updatedAt: now(), endsAt: now(), revision: row.revision + 1 });
      return okAsync();
    },
  };
};

/** Compares by the sort keys, then puts the newest first. */
const inOrderOf =
  (sort: readonly ChangeSetSort[]) =>
  (one: ChangeSet, other: ChangeSet): number => {
    const differences = [...sort, { key: 'createdAt', direction: 'desc' } as const].map(
      ({ key, direction }) => (Number(one[key]) - Number(other[key])) * (direction === 'asc' ? 1 : -1),
    );
    return differences.find((difference) => difference !== 0) ?? (one.id < other.id ? 1 : -1);
  };

/** The row of a change set that is open and at this revision. */
export function openRow(unit: Unit, zone: ZoneId, { id, revision }: ChangeSetVersion): ChangeSetRow | undefined {
  const row = unit.tables.changeSets.get(id);
  const exists = row?.zoneId === zone && row.revision === revision;
  return exists && isOpen(shownIn(unit)(row)) ? row : undefined;
}

/** Whether a change set is still open. */
export const isOpenIn = (unit: Unit, id: ChangeSetId): boolean => {
  const row = unit.tables.changeSets.get(id);
  return row !== undefined && isOpen(shownIn(unit)(row));
};

/** Marks a change set as applied. */
export function markApplied(
  { tables: { changeSets } }: Unit,
  { id }: ChangeSetVersion,
  application: Application,
): void {
  const row = changeSets.get(id);
  if (row === undefined) return;
  changeSets.set(id, { ...row, application, updatedAt: application.at, revision: row.revision + 1 });
}

const isOpen = ({ status }: Pick<ChangeSet, 'status'>): boolean => status === 'open';

const shownIn =
  ({ tables, now }: Unit) =>
  (row: ChangeSetRow): ChangeSet => {
    const ended = row.endsAt <= now() ? 'discarded' : 'open';
    return {
      ...row,
      status: row.application === undefined ? ended : 'applied',
      promotion: [...tables.promotions.values()].find(({ changeSet }) => changeSet === row.id)?.id,
    };
  };

const summaryOf = ({ patch: _, operations: __, disputed: ___, ...summary }: ChangeSet): ChangeSetSummary => summary;

import {
  type ChangeSet,
  type ChangeSetId,
  type ChangeSetSort,
  type ChangeSetSummary,
  type ChangeSets,
  changeSetClosed,
  changeSetLifetimeSeconds,
  changeSetNotFound,
  changeSetsTooLarge,
  type FoundMerge,
  type NewChangeSet,
  type OpenLimits,
  searchKey,
  tooManyChangeSets,
  type ZoneId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf } from '../pages.ts';
import { secondsAfter } from '../seconds-after.ts';
import type { ChangeSetRow } from '../tables/change-set-rows.ts';
import type { Unit } from '../tables/tables.ts';
import { bytesOf, isOpen, openRow, shownIn } from '../zones/applied-change-sets.ts';

export const memoryChangeSets = (unit: Unit): ChangeSets => {
  const { tables, now } = unit;
  const { changeSets } = tables;
  const of = (zone: ZoneId) => [...changeSets.values()].filter(({ zoneId }) => zoneId === zone).map(shownIn(unit));
  const stored = (row: ChangeSetRow): ChangeSet => {
    changeSets.set(row.id, row);
    return shownIn(unit)(row);
  };
  return {
    add: (set, limits) => {
      const refusal = refusalOf(set, of(set.zoneId).filter(isOpen), limits);
      if (refusal !== undefined) return errAsync(refusal);
      const stamps = { createdAt: now(), updatedAt: now(), endsAt: secondsAfter(now(), changeSetLifetimeSeconds) };
      return okAsync(stored({ ...asAdded, ...set, ...stamps }));
    },
    byId: (zone, id) => {
      const found = of(zone).find((set) => set.id === id);
      return found === undefined ? errAsync(changeSetNotFound()) : okAsync(found);
    },
    byIds: (zone, ids) => okAsync(of(zone).filter(({ id }) => ids.includes(id))),
    list: (zone, { statuses, createdBy, search }, sort, page) => {
      const statusOf = ({ status, merge }: ChangeSet) =>
        isOpen({ status }) && merge?.isConflicted === true ? 'conflicted' : status;
      const found = of(zone).filter(
        (set) =>
          (statuses.length === 0 || statuses.includes(statusOf(set))) &&
          (createdBy === undefined || set.createdBy === createdBy) &&
          (search === undefined || searchKey(set.title).includes(searchKey(search))),
      );
      return okAsync(pageOf(found.toSorted(inOrderOf(sort)).map(summaryOf), page));
    },
    save: ({ id, zoneId, revision, title, description, base, patch, operations, disputed, merge }, maxBytes) => {
      const row = openRow(unit, zoneId, { id, revision });
      if (row === undefined) return errAsync(changeSetClosed());
      const bytes = bytesOf({ patch, operations, disputed });
      const others = of(zoneId).filter((set) => isOpen(set) && set.id !== id);
      if (bytes > bytesOf(row) && totalBytes(others) + bytes > maxBytes) return errAsync(changeSetsTooLarge());
      const stamps = {
        updatedAt: now(),
        endsAt: secondsAfter(now(), changeSetLifetimeSeconds),
        revision: revision + 1,
        mergedRevision: revision + 1,
      };
      const content = { base, patch, operations, disputed };
      return okAsync({ ...stored({ ...row, title, description, ...content, merge, ...stamps }), ...content });
    },
    discard: (set) => {
      const zone = changeSets.get(set.id)?.zoneId;
      const row = zone && openRow(unit, zone, set);
      if (row === undefined) return errAsync(changeSetClosed());
      stored({ ...row, updatedAt: now(), endsAt: now(), revision: row.revision + 1 });
      return okAsync();
    },
    noteMerges: (merges) => {
      for (const each of merges) noteMerge(unit, each);
      return okAsync();
    },
  };
};

const asAdded = { application: undefined, revision: 1, mergedRevision: 1 } as const;

/** Why a set cannot be added to the open ones. */
function refusalOf(set: NewChangeSet, open: readonly ChangeSet[], { sets, bytes }: OpenLimits) {
  if (open.length >= sets) return tooManyChangeSets();
  return totalBytes(open) + bytesOf(set) > bytes ? changeSetsTooLarge() : undefined;
}

/** Remembers what a merge found out, unless the set has changed or more is known. */
function noteMerge(unit: Unit, { id, revision, merge }: FoundMerge): void {
  const { changeSets } = unit.tables;
  const row = changeSets.get(id);
  if (row?.revision !== revision) return;
  const known = shownIn(unit)(row).merge;
  if (known !== undefined && known.zoneRevision >= merge.zoneRevision) return;
  changeSets.set(id, { ...row, merge, mergedRevision: revision });
}

/** Compares by the sort keys, then puts the newest first. */
const inOrderOf =
  (sort: readonly ChangeSetSort[]) =>
  (one: ChangeSet, other: ChangeSet): number => {
    const differences = [...sort, { key: 'createdAt', direction: 'desc' } as const].map(
      ({ key, direction }) => (Number(one[key]) - Number(other[key])) * (direction === 'asc' ? 1 : -1),
    );
    return differences.find((difference) => difference !== 0) ?? (one.id < other.id ? 1 : -1);
  };

/** Whether a change set is still open. */
export const isOpenIn = (unit: Unit, id: ChangeSetId): boolean => {
  const row = unit.tables.changeSets.get(id);
  return row !== undefined && isOpen(shownIn(unit)(row));
};

const totalBytes = (sets: readonly ChangeSet[]): number => sets.reduce((sum, { bytes }) => sum + bytes, 0);

const summaryOf = ({ patch: _, operations: __, disputed: ___, ...summary }: ChangeSet): ChangeSetSummary => summary;

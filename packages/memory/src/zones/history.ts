import {
  jsonDocument,
  type RevisionSummary,
  revisionNotFound,
  type TrailRevision,
  type ZoneHistory,
  type ZoneId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf } from '../pages.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import type { RevisionRow } from '../tables/zone-rows.ts';

export const memoryZoneHistory = ({ tables: { revisions }, now, commit }: Unit): ZoneHistory => {
  const of = (zone: ZoneId) => revisions.get(zone) ?? [];
  return {
    add: (revision) => {
      const exists = of(revision.zoneId).some(({ number }) => number === revision.number);
      if (exists) throw new Error('The zone already has a revision with this number.');
      revisions.set(revision.zoneId, [...of(revision.zoneId), { ...revision, createdAt: now(), commit }]);
      return okAsync();
    },
    list: (zone, page) => okAsync(pageOf(of(zone).map(summaryOf).toReversed(), page)),
    byNumber: (zone, number) => {
      const index = of(zone).findIndex((revision) => revision.number === number);
      const found = of(zone)[index];
      if (found === undefined) return errAsync(revisionNotFound());
      const { restored, replayBytes } = found;
      const previous = of(zone)[index - 1]?.number;
      return okAsync({ ...summaryOf(found), restored, replayBytes, previous, inverse: jsonDocument({}) });
    },
    trail: (zone, number) => {
      const needed = neededFor(of(zone), number);
      return needed.has(number)
        ? okAsync([...needed.values()].sort((one, other) => one.number - other.number))
        : errAsync(revisionNotFound());
    },
  };
};

/** What the state of a revision is made of, by number; empty if there is no such revision. */
function neededFor(revisions: readonly RevisionRow[], number: number): ReadonlyMap<number, TrailRevision> {
  const index = revisions.findIndex((revision) => revision.number === number);
  const start = revisions.slice(0, index + 1).findLastIndex((each) => (each.snapshot ?? each.restored) !== undefined);
  const segment = start < 0 ? [] : revisions.slice(start, index + 1);
  const { contentsFrom, restFrom } = segment[0]?.restored ?? {};
  const origins = [contentsFrom, restFrom].filter((origin) => origin !== undefined);
  return new Map([
    ...origins.flatMap((origin) => [...neededFor(revisions, origin)]),
    ...segment.map((revision) => [revision.number, revision] as const),
  ]);
}

/** Whether the history of a zone has all of these revisions. */
export const hasRevisions = ({ revisions }: Tables, zone: ZoneId, numbers: readonly number[]): boolean => {
  const present = new Set(revisions.get(zone)?.map(({ number }) => number));
  return numbers.every((number) => present.has(number));
};

const summaryOf = ({
  snapshot: _,
  replayBytes: __,
  patch: ___,
  restored: ____,
  commit: _____,
  ...summary
}: RevisionRow): RevisionSummary => summary;

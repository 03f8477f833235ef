import { type Revision, type RevisionSummary, revisionNotFound, type ZoneHistory, type ZoneId } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf } from './pages.ts';
import type { Unit } from './tables.ts';
import type { RevisionRow } from './zone-rows.ts';

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
      const revision = of(zone).find((each) => each.number === number);
      return revision === undefined ? errAsync(revisionNotFound()) : okAsync(revisionOf(revision));
    },
    patchChain: (zone, number) => {
      const until = of(zone).filter((revision) => revision.number <= number);
      const start = until.findLastIndex(({ snapshot }) => snapshot !== undefined);
      const snapshot = until[start]?.snapshot;
      if (snapshot === undefined || until.at(-1)?.number !== number) return errAsync(revisionNotFound());
      return okAsync({ snapshot, patches: until.slice(start + 1).map(({ patch }) => patch) });
    },
  };
};

const revisionOf = ({ snapshot: _, replayBytes: __, commit: ___, ...revision }: RevisionRow): Revision => revision;

const summaryOf = ({
  snapshot: _,
  replayBytes: __,
  patch: ___,
  inverse: ____,
  commit: _____,
  ...summary
}: RevisionRow): RevisionSummary => summary;

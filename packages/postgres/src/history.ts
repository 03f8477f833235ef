import type { PatchChain } from '@zonewright/core';
import {
  type JsonObject,
  type Revision,
  type RevisionNotFound,
  type RevisionSummary,
  revisionNotFound,
  storedDocument,
  type UserId,
  type ZoneDocument,
  type ZoneHistory,
  type ZoneId,
} from '@zonewright/core';
import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { many, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';
import type { HotStandby } from './standby.ts';

type SummaryRow = Omit<RevisionSummary, 'author'> & { readonly author: UserId | null };
type RevisionRow = SummaryRow & {
  readonly patch: string;
  readonly inverse: string;
};

interface TrailRow {
  readonly number: number;
  /** Unique within the zone's history. */
  readonly version: string;
  readonly patch: string;
  readonly snapshot: string | null;
}

export const postgresZoneHistory = (on: Connection, standby: HotStandby | undefined): ZoneHistory => ({
  add: ({ zoneId, author, objects, patch, inverse, snapshot, ...revision }) =>
    run(on, sql.history.add, {
      ...revision,
      zone: zoneId,
      author: author ?? null,
      objects: JSON.stringify(objects),
      patch: patch.text,
      inverse: inverse.text,
      snapshot: snapshot?.text ?? null,
    }),
  list: (zone, page) => pageOf(on, sql.history, { zone }, page, summaryOf),
  byNumber: (zone, number) =>
    required<RevisionRow, RevisionNotFound>(on, sql.history.byNumber, { zone, number }, revisionNotFound).map(
      revisionOf,
    ),
  patchChain: (zone, number) =>
    (standby === undefined
      ? many<TrailRow>(on, sql.history.trail, { zone, number })
      : suppliedTrail(on, standby, { zone, number })
    ).andThen((rows) => trailOf(rows, number)),
});

/** The trail with rows named by the primary and read from the standby, if it has all of them. */
function suppliedTrail(
  on: Connection,
  standby: HotStandby,
  values: { readonly zone: ZoneId; readonly number: number },
): ResultAsync<readonly TrailRow[], never> {
  return many<Pick<TrailRow, 'version'>>(on, sql.history.trailNames, values).andThen((named) =>
    standby
      .supply<TrailRow, readonly TrailRow[] | undefined>(sql.history.trail, values, (rows) => {
        const isComplete = versionsOf(rows) === versionsOf(named);
        return { found: isComplete ? rows : undefined, isComplete };
      })
      .andThen((found) => (found === undefined ? many<TrailRow>(on, sql.history.trail, values) : okAsync(found))),
  );
}

const versionsOf = (rows: readonly Pick<TrailRow, 'version'>[]): string => rows.map(({ version }) => version).join();

function trailOf([first, ...later]: readonly TrailRow[], number: number): Result<PatchChain, RevisionNotFound> {
  const isThere = (later.at(-1) ?? first)?.number === number;
  if (first?.snapshot === undefined || first.snapshot === null || !isThere) return err(revisionNotFound());
  return ok({
    snapshot: storedDocument<ZoneDocument>(first.snapshot),
    patches: later.map(({ patch }) => storedDocument<JsonObject>(patch)),
  });
}

const summaryOf = ({ author, ...row }: SummaryRow): RevisionSummary => ({ ...row, author: author ?? undefined });

const revisionOf = ({ patch, inverse, ...row }: RevisionRow): Revision => ({
  ...summaryOf(row),
  patch: storedDocument(patch),
  inverse: storedDocument(inverse),
});

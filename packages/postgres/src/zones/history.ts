import {
  type JsonObject,
  type RecordedRevision,
  type RestoredState,
  type RevisionNotFound,
  type RevisionSummary,
  revisionNotFound,
  type StoredState,
  storedDocument,
  type TrailRevision,
  type ZoneDocument,
  type ZoneHistory,
  type ZoneId,
} from '@zonewright/core';
import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { anyTextBytes, type Reserve, roomFor, textWithin } from '../connection/long-texts.ts';
import { itemOf, many, pageOf, type RowOf, required, run, type SizedRow } from '../connection/query.ts';
import type { HotStandby } from '../session/standby.ts';
import { sql } from '../sql.ts';

type SummaryRow = RowOf<RevisionSummary>;

/** Where a restored state comes from; nulls for other revisions. */
interface OriginRow {
  readonly contentsFrom: number | null;
  readonly restFrom: number | null;
  readonly adjustment: string | null;
}

type RevisionRow = SummaryRow &
  OriginRow & { readonly replayBytes: number; readonly previous: number | null; readonly inverse: string };

interface TrailRow extends OriginRow, SizedRow {
  readonly number: number;
  /** Unique within the zone's history. */
  readonly version: string;
  readonly patch: string | null;
  readonly snapshot: string | null;
}

/** Histories over one connection. `reserve` waits for the memory that long texts take. */
export const postgresZoneHistory = (
  on: Connection,
  standby: HotStandby | undefined,
  reserve?: Reserve,
): ZoneHistory => ({
  add: ({ zoneId, author, objects, snapshot, patch, restored, ...revision }) =>
    run(on, sql.history.add, {
      ...revision,
      zone: zoneId,
      author: author ?? null,
      objects: JSON.stringify(objects),
      ...stateValues({ snapshot, patch, restored }),
    }),
  list: (zone, page) => pageOf(on, sql.history, { zone }, page, itemOf<RevisionSummary>),
  byNumber: (zone, number) =>
    required<RevisionRow>(on, sql.history.byNumber, { zone, number }).mapErr(revisionNotFound).map(revisionOf),
  trail: (zone, number) =>
    (standby === undefined
      ? textWithin(reserve, (maxBytes) => many<TrailRow>(on, sql.history.trail, { zone, number, maxBytes }))
      : suppliedTrail(on, standby, { zone, number, maxBytes: anyTextBytes }, reserve)
    ).andThen((rows) => trailOf(rows, number)),
});

/** How a statement stores the state of a revision. */
export const stateValues = ({ snapshot, patch, restored }: Omit<StoredState, 'replayBytes'>) => ({
  snapshot: snapshot?.text ?? null,
  patch: patch?.text ?? null,
  ...originValues(restored),
});

const originValues = (restored: RestoredState | undefined): OriginRow =>
  restored === undefined
    ? { contentsFrom: null, restFrom: null, adjustment: null }
    : { ...restored, adjustment: restored.adjustment?.text ?? null };

/** The trail with rows named by the primary and read from the standby, if it has all of them. */
function suppliedTrail(
  on: Connection,
  standby: HotStandby,
  { zone, number, maxBytes }: { readonly zone: ZoneId; readonly number: number; readonly maxBytes: number },
  reserve: Reserve,
): ResultAsync<readonly TrailRow[], never> {
  const values = { zone, number, maxBytes };
  const names = () => many<Pick<TrailRow, 'version' | 'bytes'>>(on, sql.history.trailNames, { zone, number });
  return names()
    .andThrough(roomFor(reserve))
    .andThen((named) =>
      standby
        .supply<TrailRow, readonly TrailRow[] | undefined>(sql.history.trail, values, (rows) => {
          const isComplete = versionsOf(rows) === versionsOf(named);
          return { value: isComplete ? rows : undefined, isComplete };
        })
        .andThen((trail) => (trail === undefined ? many<TrailRow>(on, sql.history.trail, values) : okAsync(trail))),
    );
}

const versionsOf = (rows: readonly Pick<TrailRow, 'version'>[]): string => rows.map(({ version }) => version).join();

function trailOf(rows: readonly TrailRow[], number: number): Result<readonly TrailRevision[], RevisionNotFound> {
  const [first] = rows;
  const isThere = rows.at(-1)?.number === number && first !== undefined && first.snapshot !== null;
  return isThere ? ok(rows.map(trailRevisionOf)) : err(revisionNotFound());
}

const trailRevisionOf = ({ number, patch, snapshot, ...row }: TrailRow): TrailRevision => ({
  number,
  snapshot: snapshot === null ? undefined : storedDocument<ZoneDocument>(snapshot),
  patch: patch === null ? undefined : storedDocument<JsonObject>(patch),
  restored: restoredIn(row),
});

const restoredIn = ({ contentsFrom, restFrom, adjustment }: OriginRow): RestoredState | undefined =>
  contentsFrom === null || restFrom === null
    ? undefined
    : { contentsFrom, restFrom, adjustment: adjustment === null ? undefined : storedDocument<JsonObject>(adjustment) };

const revisionOf = ({
  contentsFrom,
  restFrom,
  adjustment,
  replayBytes,
  previous,
  inverse,
  ...row
}: RevisionRow): RecordedRevision => ({
  ...itemOf<RevisionSummary>(row),
  restored: restoredIn({ contentsFrom, restFrom, adjustment }),
  replayBytes,
  previous: previous ?? undefined,
  inverse: storedDocument(inverse),
});

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
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { type Reserve, textWithin } from '../connection/long-texts.ts';
import { itemOf, many, pageOf, type RowOf, required, run, type SizedRow } from '../connection/query.ts';
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
  readonly patch: string | null;
  readonly snapshot: string | null;
}

/** Histories over one connection. `reserve` waits for the memory that long texts take. */
export const postgresZoneHistory = (on: Connection, reserve?: Reserve): ZoneHistory => ({
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
    textWithin(reserve, (maxBytes) => many<TrailRow>(on, sql.history.trail, { zone, number, maxBytes })).andThen(
      (rows) => trailOf(rows, number),
    ),
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

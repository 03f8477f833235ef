import type { Trail } from '@zonewright/core';
import {
  type JsonObject,
  type Revision,
  type RevisionNotFound,
  revisionNotFound,
  storedDocument,
  type UserId,
  type ZoneDocument,
  type ZoneHistory,
} from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Connection } from './database.ts';
import { many, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';

type RevisionRow = Omit<Revision, 'author' | 'patch' | 'inverse'> & {
  readonly author: UserId | null;
  readonly patch: string;
  readonly inverse: string;
};

interface TrailRow {
  readonly number: number;
  readonly patch: string;
  readonly snapshot: string | null;
}

export const postgresHistory = (on: Connection): ZoneHistory => ({
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
  list: (zone, page) =>
    pageOf<RevisionRow>(on, sql.history, { zone }, page).map(({ items, totalItems }) => ({
      items: items.map(revisionOf),
      totalItems,
    })),
  byNumber: (zone, number) =>
    required<RevisionRow, RevisionNotFound>(on, sql.history.byNumber, { zone, number }, revisionNotFound).map(
      revisionOf,
    ),
  trail: (zone, number) =>
    many<TrailRow>(on, sql.history.trail, { zone, number }).andThen((rows) => trailOf(rows, number)),
});

function trailOf([first, ...later]: readonly TrailRow[], number: number): Result<Trail, RevisionNotFound> {
  const isThere = (later.at(-1) ?? first)?.number === number;
  if (first?.snapshot === undefined || first.snapshot === null || !isThere) return err(revisionNotFound());
  return ok({
    snapshot: storedDocument<ZoneDocument>(first.snapshot),
    patches: later.map(({ patch }) => storedDocument<JsonObject>(patch)),
  });
}

const revisionOf = ({ author, patch, inverse, ...row }: RevisionRow): Revision => ({
  ...row,
  author: author ?? undefined,
  patch: storedDocument(patch),
  inverse: storedDocument(inverse),
});

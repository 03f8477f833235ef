import {
  type Edge,
  type EdgeNameTaken,
  type EdgeNotFound,
  type EdgeState,
  type EdgeStates,
  type Edges,
  type EnrolmentTokenInvalid,
  edgeKeyInUse,
  edgeNameTaken,
  edgeNotFound,
  enrolmentTokenInvalid,
  type FeedReader,
  type ListedEdge,
  type RejectedDocument,
  type ServingEdge,
  type TokenHash,
} from '@zonewright/core';
import type { Connection } from './database.ts';
import { many, required, run } from './query.ts';
import { sql } from './sql.ts';
import type { Statement } from './statement.ts';

type EdgeRow = Omit<Edge, 'enrolledAt'> & { readonly enrolledAt: Date | null };

/** The columns of the report are null if there is none. */
type ListedRow = EdgeRow &
  Omit<EdgeState, 'zones' | 'position' | 'reportedAt'> & {
    readonly reportedAt: Date | null;
    readonly position: number | null;
    readonly applied: number;
    readonly rejected: readonly RejectedDocument[];
  };

export const postgresEdges = (on: Connection): Edges => ({
  add: (edge) =>
    required<EdgeRow, EdgeNameTaken>(on, sql.edges.add, { ...edge }, edgeNameTaken).map((row) => ({
      ...row,
      enrolledAt: row.enrolledAt ?? undefined,
    })),
  list: () => many<ListedRow>(on, sql.edges.list, { name: null }).map((rows) => rows.map(listedOf)),
  byName: (name) => required<ListedRow, EdgeNotFound>(on, sql.edges.list, { name }, edgeNotFound).map(listedOf),
  enrol: (token, key) =>
    required<Pick<Edge, 'id' | 'name'>, EnrolmentTokenInvalid>(
      on,
      sql.edges.enrol,
      { token, key },
      enrolmentTokenInvalid,
    ),
  byKeys: (keys) =>
    many<FeedReader & { readonly key: TokenHash }>(on, sql.edges.byKeys, { keys }).map(
      (rows) => new Map(rows.map(({ key, ...edge }) => [key, edge])),
    ),
  drain: (name, isDraining) => changed(on, sql.edges.drain, { name, isDraining }),
  remove: (name) => changed(on, sql.edges.remove, { name }),
});

const changed = (on: Connection, statement: Statement, values: Readonly<Record<string, unknown>>) =>
  required<unknown, EdgeNotFound>(on, statement, values, edgeNotFound).map(() => undefined);

function listedOf(row: ListedRow): ListedEdge {
  const { id, name, tags, organizations, stage, isDraining, createdAt, enrolledAt, reportedAt } = row;
  const { startedAt, secondsAgo, position, version, semantics, applied, rejected, purged, proxy, capabilities } = row;
  const state = reportedAt && {
    version,
    semantics,
    startedAt,
    zones: { applied, rejected },
    purged,
    proxy,
    capabilities,
    reportedAt,
    secondsAgo,
    position: position ?? undefined,
  };
  const edge = { id, name, tags, organizations, stage, isDraining, createdAt, enrolledAt: enrolledAt ?? undefined };
  return { ...edge, state: state ?? undefined };
}

export const postgresEdgeStates = (on: Connection): EdgeStates => ({
  record: (edge, { position, zones, proxy, ...report }, claimSeconds) =>
    required(
      on,
      sql.edgeStates.record,
      {
        ...report,
        edge,
        claimSeconds,
        number: position?.number ?? null,
        publication: position?.publication ?? null,
        nonce: position?.nonce ?? null,
        applied: zones.applied,
        rejected: JSON.stringify(zones.rejected),
        proxy: JSON.stringify(proxy),
      },
      edgeKeyInUse,
    ).map(() => undefined),
  forget: (edge) => run(on, sql.edgeStates.forget, { edge }),
  serving: (zone, silentAfterSeconds) => {
    const { id, tag, organizationId } = zone;
    return many<ServingRow>(on, sql.edgeStates.serving, { id, tag, organizationId, silentAfterSeconds }).map((rows) =>
      rows.map((row) => ({ ...row, rejected: row.rejected ?? undefined })),
    );
  },
});

type ServingRow = Omit<ServingEdge, 'rejected'> & { readonly rejected: RejectedDocument | null };

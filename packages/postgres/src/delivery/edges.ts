import {
  type Edge,
  type EdgeIdentity,
  type EdgeState,
  type EdgeStates,
  type Edges,
  edgeKeyInUse,
  edgeNameTaken,
  edgeNotFound,
  enrolmentTokenInvalid,
  type ListedEdge,
  type ServingEdge,
  type TokenHash,
} from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { change, itemOf, many, type RowOf, required, run } from '../connection/query.ts';
import { sql } from '../sql.ts';

/** The columns of the report are null if there is none. */
type ListedRow = RowOf<Edge> &
  Omit<EdgeState, 'zones' | 'position' | 'reportedAt'> & {
    readonly reportedAt: Date | null;
    readonly position: number | null;
    readonly applied: number;
    readonly rejected: EdgeState['zones']['rejected'];
  };

export const postgresEdges = (on: Connection): Edges => ({
  add: (edge) =>
    required<RowOf<Edge>>(on, sql.edges.add, { ...edge })
      .mapErr(edgeNameTaken)
      .map(itemOf<Edge>),
  list: () => many<ListedRow>(on, sql.edges.list, { name: null }).map((rows) => rows.map(listedOf)),
  byName: (name) => required<ListedRow>(on, sql.edges.list, { name }).mapErr(edgeNotFound).map(listedOf),
  enrol: (token, key) =>
    required<Pick<Edge, 'id' | 'name'>>(on, sql.edges.enrol, { token, key }).mapErr(enrolmentTokenInvalid),
  byKeys: (keys) =>
    many<EdgeIdentity & { readonly key: TokenHash }>(on, sql.edges.byKeys, { keys }).map(
      (rows) => new Map(rows.map(({ key, ...edge }) => [key, edge])),
    ),
  drain: (name, isDraining) => change(on, sql.edges.drain, { name, isDraining }).mapErr(edgeNotFound),
  remove: (name) => change(on, sql.edges.remove, { name }).mapErr(edgeNotFound),
});

function listedOf(row: ListedRow): ListedEdge {
  const { id, name, tags, organizations, stage, isDraining, createdAt, enrolledAt, reportedAt } = row;
  const { startedAt, secondsAgo, position, version, semantics, applied, rejected, purged, proxy, unsupportedSettings } =
    row;
  const state = reportedAt && {
    version,
    semantics,
    startedAt,
    zones: { applied, rejected },
    purged,
    proxy,
    unsupportedSettings,
    reportedAt,
    secondsAgo,
    position: position ?? undefined,
  };
  const edge = { id, name, tags, organizations, stage, isDraining, createdAt, enrolledAt: enrolledAt ?? undefined };
  return { ...edge, state: state ?? undefined };
}

export const postgresEdgeStates = (on: Connection): EdgeStates => ({
  record: (edge, { position, zones, proxy, stateId, ...report }, claimSeconds) =>
    change(on, sql.edgeStates.record, {
      ...report,
      stateId: stateId ?? null,
      edge,
      claimSeconds,
      number: position?.number ?? null,
      publication: position?.publication ?? null,
      nonce: position?.nonce ?? null,
      applied: zones.applied,
      rejected: JSON.stringify(zones.rejected),
      proxy: JSON.stringify(proxy),
    }).mapErr(edgeKeyInUse),
  forget: (edge) => run(on, sql.edgeStates.forget, { edge }),
  serving: (zone, silentAfterSeconds) => {
    const { id, tag, organizationId } = zone;
    const values = { id, tag, organizationId, silentAfterSeconds };
    return many<RowOf<ServingEdge>>(on, sql.edgeStates.serving, values).map((rows) => rows.map(itemOf<ServingEdge>));
  },
});

import {
  type Edge,
  type EdgeName,
  type EdgeNotFound,
  type EdgeState,
  type EdgeStates,
  type Edges,
  edgeKeyInUse,
  edgeNameTaken,
  edgeNotFound,
  enrolmentTokenInvalid,
  isInScope,
  type ListedEdge,
  type StateReport,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import { sortedBy } from '../pages.ts';
import { secondsAfter } from '../seconds-after.ts';
import type { EdgeRow, EdgeStateRow, EdgeZoneRow } from '../tables/edge-rows.ts';
import type { Unit } from '../tables/tables.ts';
import { isConnected, secondsBetween } from './edge-connections.ts';
import { publicationOf } from './edge-feed.ts';

export const memoryEdges = ({ tables, now }: Unit): Edges => {
  const { edges, edgeStates } = tables;
  const rowNamed = (name: EdgeName): Result<EdgeRow, EdgeNotFound> => {
    const row = [...edges.values()].find(({ edge }) => edge.name === name);
    return row === undefined ? err(edgeNotFound()) : ok(row);
  };
  const listed = ({ edge }: EdgeRow): ListedEdge => ({ ...edge, state: stateIn(edgeStates.get(edge.id), now()) });
  return {
    add: ({ tokenHash, lifetimeSeconds, ...draft }) => {
      if (rowNamed(draft.name).isOk()) return errAsync(edgeNameTaken());
      const edge: Edge = { ...draft, isDraining: false, createdAt: now(), enrolledAt: undefined };
      edges.set(edge.id, {
        edge,
        tokenHash,
        tokenExpiresAt: secondsAfter(now(), lifetimeSeconds),
        keyHash: undefined,
      });
      return okAsync(edge);
    },
    list: () => okAsync(sortedBy([...edges.values()].map(listed), ({ name, id }) => [name, id])),
    byName: (name) =>
      rowNamed(name)
        .map(listed)
        .asyncMap(async (edge) => edge),
    enrol: (token, key) => {
      const row = [...edges.values()].find((each) => each.tokenHash === token && each.tokenExpiresAt > now());
      if (row === undefined) return errAsync(enrolmentTokenInvalid());
      const edge = { ...row.edge, enrolledAt: now() };
      edges.set(edge.id, { ...row, edge, tokenHash: undefined, keyHash: key });
      return okAsync({ id: edge.id, name: edge.name });
    },
    byKeys: (keys) =>
      okAsync(
        new Map(
          [...edges.values()].flatMap(({ keyHash, edge: { id, name, stage, tags, organizations } }) =>
            keyHash !== undefined && keys.includes(keyHash)
              ? [[keyHash, { id, name, stage, tags, organizations }]]
              : [],
          ),
        ),
      ),
    drain: (name, isDraining) =>
      rowNamed(name)
        .map((row) => void edges.set(row.edge.id, { ...row, edge: { ...row.edge, isDraining } }))
        .asyncMap(async () => undefined),
    remove: (name) =>
      rowNamed(name)
        .map(({ edge: { id } }) => {
          edges.delete(id);
          edgeStates.delete(id);
        })
        .asyncMap(async () => undefined),
  };
};

const stateIn = (row: EdgeStateRow | undefined, at: Date): EdgeState | undefined =>
  row && {
    ...row.report,
    position: row.position,
    reportedAt: row.reportedAt,
    secondsAgo: secondsBetween(row.reportedAt, at),
  };

export const memoryEdgeStates = (unit: Unit): EdgeStates => ({
  record: (edge, report, claimSeconds) => {
    const { tables, now } = unit;
    const before = tables.edgeStates.get(edge);
    const isTaken = before !== undefined && !follows(before.report, report);
    if (isTaken && secondsBetween(before.reportedAt, now()) < claimSeconds) return errAsync(edgeKeyInUse());
    const { position, ...rest } = report;
    const known = position !== undefined && publicationOf(tables, position) !== undefined;
    tables.edgeStates.set(edge, {
      report: rest,
      position: known ? position.number : undefined,
      reportedAt: now(),
    });
    noteChanges(unit, edge, { report, since: before?.position, applied: known ? position.number : undefined });
    return okAsync();
  },
  forget: (edge) => {
    unit.tables.edgeStates.delete(edge);
    return okAsync();
  },
  serving: (zone, silentAfterSeconds) =>
    okAsync(
      [...unit.tables.edges.values()]
        .filter(({ edge }) => !edge.isDraining && isInScope(edge, zone))
        .map(({ edge }) => {
          const row = unit.tables.edgeStates.get(edge.id);
          return {
            name: edge.name,
            stage: edge.stage,
            isConnected: isConnected(unit, edge.id, silentAfterSeconds),
            applied: row?.position ?? -1,
            rejected: row?.report.zones.rejected.find(({ id }) => id === zone.id),
            unsupportedSettings: row?.report.unsupportedSettings ?? [],
          };
        })
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    ),
});

/** A report, and the positions that the edge had applied before and has now. */
interface NotedReport {
  readonly report: StateReport;
  readonly since: number | undefined;
  readonly applied: number | undefined;
}

/** Notes what the report of a canary edge says of the changes of zones that it serves. */
function noteChanges({ tables: { edges, edgeZones }, now }: Unit, id: Edge['id'], noted: NotedReport): void {
  const reporter = edges.get(id)?.edge;
  if (reporter?.stage !== 'canary') return;
  const rejected = new Set(noted.report.zones.rejected.map((each) => `${each.id} ${each.digest}`));
  for (const [key, row] of edgeZones) {
    if (row.stage !== 'canary' || !isInScope(reporter, row)) continue;
    edgeZones.set(key, {
      ...row,
      isHalted: row.isHalted || rejected.has(`${row.id} ${row.document?.digest}`),
      appliedAt: isNewlyApplied(row, noted) ? now() : row.appliedAt,
    });
  }
}

const isNewlyApplied = ({ isPending, position }: EdgeZoneRow, { since = -1, applied = -1 }: NotedReport): boolean =>
  isPending && position > since && position <= applied;

/** Whether a report is of the same process as the former one, or of a later process with the same state. */
const follows = (former: Reporter, { startedAt, stateId }: Reporter): boolean =>
  former.startedAt === startedAt ||
  (stateId !== undefined && former.stateId === stateId && former.startedAt < startedAt);

type Reporter = Pick<StateReport, 'startedAt' | 'stateId'>;

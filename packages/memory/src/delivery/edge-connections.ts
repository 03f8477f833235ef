import type { EdgeId } from '@zonewright/core';
import type { Unit } from '../tables/tables.ts';

/** Seconds from one time to a later one. */
export const secondsBetween = (earlier: Date, later: Date): number => (later.getTime() - earlier.getTime()) / 1000;

/** Whether an edge has reported within the given number of seconds. */
export const isConnected = ({ tables, now }: Unit, edge: EdgeId, silentAfterSeconds: number): boolean => {
  const row = tables.edgeStates.get(edge);
  return row !== undefined && secondsBetween(row.reportedAt, now()) < silentAfterSeconds;
};

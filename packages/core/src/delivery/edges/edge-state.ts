import { EdgeReport, type RejectedDocument } from '@zonewright/edge-protocol';
import type { z } from 'zod';
import { parsePosition } from './position.ts';

/** What an edge says about itself: whole, not what has changed. */
export const StateReport = EdgeReport.extend({
  position: EdgeReport.shape.position.unwrap().transform(parsePosition).optional(),
});
export type StateReport = z.output<typeof StateReport>;

/** The last report of an edge. */
export interface EdgeState extends Omit<StateReport, 'position' | 'zones'> {
  readonly zones: { readonly applied: number; readonly rejected: readonly RejectedDocument[] };
  readonly reportedAt: Date;
  readonly secondsAgo: number;
  /** Undefined: none, or one that this database does not know. */
  readonly position: number | undefined;
}

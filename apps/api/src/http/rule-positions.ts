import type { PositionChange } from '@zonewright/core';

/**
 * The positions that a write changed, for the header field `Rule-Positions`: a list of strings with an integer
 * parameter (RFC 9651 section 3.1), `"<rule id>";order=<position>`. A write that moved nothing has an empty list, which
 * is no field at all.
 */
export const rulePositions = (moved: readonly PositionChange[]): Readonly<Record<string, string>> =>
  moved.length === 0 ? {} : { 'Rule-Positions': moved.map(({ id, order }) => `"${id}";order=${order}`).join(', ') };

import type { PositionChange } from '@zonewright/core';

/** About forty positions: header fields have to fit into the 8 KB that proxies and clients take. */
const maxLength = 2048;

/**
 * The positions that a write changed, for the header field `Rule-Positions`: a list of strings with an integer
 * parameter (RFC 9651 section 3.1), `"<rule id>";order=<position>`. No field for a write that moved nothing (an empty
 * list is none), and for one that moved too many rules: then the list is to be read again.
 */
export function rulePositions(moved: readonly PositionChange[]): Readonly<Record<string, string>> {
  const field = moved.map(({ id, order }) => `"${id}";order=${order}`).join(', ');
  return field === '' || field.length > maxLength ? {} : { 'Rule-Positions': field };
}

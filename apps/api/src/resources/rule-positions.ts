import type { PositionChange } from '@zonewright/core';

/** About forty positions: proxies and clients accept 8 KB of header fields in total. */
const maxLength = 2048;
/** Of one position: an id in quotes, `;order=` and a digit. */
const minItemLength = 46;

/**
 * The `Rule-Positions` field with the positions a write changed: a list of strings with an integer parameter (RFC 9651
 * section 3.1), `"<rule id>";order=<position>`. Omitted when no rule moved, since empty lists are not sent, and when
 * too many moved: clients then read the list again.
 */
export function rulePositions(moved: readonly PositionChange[]): Readonly<Record<string, string>> {
  if (moved.length * minItemLength > maxLength) return {};
  const field = moved.map(({ id, order }) => `"${id}";order=${order}`).join(', ');
  return field === '' || field.length > maxLength ? {} : { 'Rule-Positions': field };
}

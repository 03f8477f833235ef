/**
 * A JSON value in canonical form (RFC 8785): no blanks, members sorted by their names in UTF-16 code units, numbers and
 * texts as ECMAScript writes them. Members without a value are left out. Equal values have equal texts.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // Only undefined, in an array, has no text of its own.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

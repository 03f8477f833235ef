import type { FieldName } from './fields.ts';
import type { BaseOperator } from './operators.ts';

/** Separators of list entries: line feeds, and also commas if no entry can contain one. */
export const listSeparators = { lines: /\n/, linesAndCommas: /[\n,]/ } as const;

/** The entries of a list as written: trimmed, without blank ones. */
export const listEntries = (written: string, separator: RegExp): readonly string[] =>
  written
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Fields whose values contain no comma, so that commas separate list entries. */
const fieldsWithoutCommas: ReadonlySet<FieldName> = new Set([
  'ip',
  'country',
  'asn',
  'method',
  'host',
  'scheme',
  'extension',
  'contentType',
  'status',
]);

/** The entries of a condition's value: a single one, unless the operator takes a list. */
export function entriesOf(field: FieldName, operator: BaseOperator, value: string): readonly string[] {
  if (operator !== 'in') return [value];
  return listEntries(value, fieldsWithoutCommas.has(field) ? listSeparators.linesAndCommas : listSeparators.lines);
}

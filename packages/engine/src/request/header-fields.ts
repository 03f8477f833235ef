import { memoized } from '../memoized.ts';
import { lowerCased, trimmed } from './bytes.ts';

/** A field line of a request. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** Header values by lower-case name. */
export type HeaderFields = ReadonlyMap<string, string>;

/**
 * The header fields of a request: the non-empty, trimmed lines of each name, joined in wire order with `; ` for
 * `Cookie` and `, ` for all others. A name with only empty lines has the value "".
 */
export function headerFields(lines: readonly HeaderLine[]): HeaderFields {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const name = lowerCased(line.name);
    const value = trimmed(line.value);
    const before = fields.get(name) ?? '';
    const separator = name === 'cookie' ? '; ' : ', ';
    fields.set(name, before === '' || value === '' ? before + value : `${before}${separator}${value}`);
  }
  return fields;
}

/** All cookies, in order; quotes are kept and nothing is decoded. Parts without a name are ignored. */
export const cookiesOf = memoized(
  (fields: HeaderFields): readonly { readonly name: string; readonly value: string }[] =>
    fields
      .get('cookie')
      ?.split(';')
      .flatMap((part) => {
        const equals = part.indexOf('=');
        const name = trimmed(part.slice(0, Math.max(equals, 0)));
        return name === '' ? [] : [{ name, value: trimmed(part.slice(equals + 1)) }];
      }) ?? [],
);

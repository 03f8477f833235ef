import { lowerCased, trimmed } from './bytes.ts';

/** A field line of a request. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** Header subjects by lower-case name. */
export type HeaderFields = ReadonlyMap<string, string>;

/**
 * The fields of a request: all lines of a name, trimmed, those with a value joined in wire order, with `; ` for Cookie
 * and `, ` for every other. A name of which there are only empty lines has the value "".
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

/** The values of every cookie of the name, in order. Quotes stay, and nothing is decoded. */
export function cookieValues(cookie: string | undefined, name: string): readonly string[] {
  if (cookie === undefined) return [];
  return cookie.split(';').flatMap((part) => {
    const equals = part.indexOf('=');
    return equals >= 0 && trimmed(part.slice(0, equals)) === name && name !== ''
      ? [trimmed(part.slice(equals + 1))]
      : [];
  });
}

import { utf8 } from '@zonewright/engine';

/** Header lines as Node's raw lists have them: names and values in turn, as byte strings. */
export type HeaderLines = readonly string[];

/** Fields of one connection only (RFC 9110 section 7.6.1, RFC 9112 section 9). */
export const connectionFields: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** All values of a field, joined. Undefined: absent. */
export function fieldIn(lines: HeaderLines, name: string): string | undefined {
  let field: string | undefined;
  for (let at = 0; at < lines.length; at += 2) {
    const given = lines[at] ?? '';
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    field = field === undefined ? lines[at + 1] : `${field}, ${lines[at + 1]}`;
  }
  return field;
}

/** The lines without those of the named fields; names in lower case. */
export function without(lines: HeaderLines, names: ReadonlySet<string>): string[] {
  const rest: string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at] ?? '';
    if (!names.has(name.toLowerCase())) rest.push(name, lines[at + 1] ?? '');
  }
  return rest;
}

/** The lines that are passed on: without those of this connection, which includes what `Connection` names. */
export function endToEnd(lines: HeaderLines): string[] {
  const named = namedByConnection(lines);
  return without(lines, named === undefined ? connectionFields : new Set([...connectionFields, ...named]));
}

/** The fields besides the usual ones that are only of this connection, because `Connection` names them. */
export function namedByConnection(lines: HeaderLines): ReadonlySet<string> | undefined {
  const connection = fieldIn(lines, 'connection');
  if (connection === undefined || isUsual.test(connection)) return undefined;
  return new Set(connection.split(',').map((each) => each.trim().toLowerCase()));
}

/** Names nothing that is not left out anyway. */
const isUsual = /^(?:keep-alive|close|upgrade)$/i;

/** A text as a quoted string (RFC 9110 section 5.6.4), in the bytes of UTF-8. Control characters are left out. */
export const quotedString = (text: string): string =>
  `"${utf8(text.replaceAll(/\p{Cc}/gu, '').replaceAll(/["\\]/g, '\\$&'))}"`;

import { fieldIn, type HeaderLines, without } from './header-lines.ts';

/** Lines that are no longer true of another form of the body (RFC 9530, RFC 9421). */
const ofTheBytes: ReadonlySet<string> = new Set([
  'content-length',
  'accept-ranges',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
  'unencoded-digest',
  'signature',
  'signature-input',
]);
const contentType: ReadonlySet<string> = new Set(['content-type']);
const etag: ReadonlySet<string> = new Set(['etag']);
const vary: ReadonlySet<string> = new Set(['vary']);

/** The header of a response whose body has another form, with this type (undefined: as before) and length. */
export function headerOfTransformed(lines: HeaderLines, type: string | undefined, length: number): string[] {
  let result = headerOfSomeForm(lines);
  if (type !== undefined) result = [...without(result, contentType), 'Content-Type', type];
  return [...result, 'Content-Length', String(length)];
}

/**
 * The header of a response whose body may get another form, without what is only true of one: a strong entity tag
 * becomes weak (RFC 9110 section 8.8.1). A response to HEAD may leave out such fields (section 9.3.2).
 */
export function headerOfSomeForm(lines: HeaderLines): string[] {
  const tag = fieldIn(lines, 'etag');
  const result = without(lines, ofTheBytes);
  return tag?.startsWith('"') === true ? [...without(result, etag), 'ETag', `W/${tag}`] : result;
}

/** The header of a response of which other forms exist. */
export function varyingByAccept(lines: HeaderLines): HeaderLines {
  const given = fieldIn(lines, 'vary');
  if (given === undefined) return [...lines, 'Vary', 'Accept'];
  const names = given.split(',').map((name) => name.trim().toLowerCase());
  return names.some((name) => name === 'accept' || name === '*')
    ? lines
    : [...without(lines, vary), 'Vary', `${given}, Accept`];
}

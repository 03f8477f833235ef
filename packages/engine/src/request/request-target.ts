import { utf8 } from './bytes.ts';

const unreserved = /^[A-Za-z0-9._~-]$/;
const hexDigit = /^[0-9A-Fa-f]$/;
const triplet = /%[0-9A-Fa-f]{2}/y;

/** How paths are read: as most origin servers do, or by RFC 3986 alone. */
export const pathNormalizations = ['strict', 'rfc3986'] as const;
/** One of `pathNormalizations`. */
export type PathNormalization = (typeof pathNormalizations)[number];

/**
 * The path as conditions and cache keys see it (RFC 3986 sections 6.2.2 and 5.2.4, RFC 9110 section 4.2.3):
 * percent-triplets are normalized, then dot segments removed, so `%2e` counts as a dot; an empty path becomes `/`.
 * `strict` then merges slashes. `%2F`, case and a trailing slash are kept. A path that does not start with a slash (`*`
 * of OPTIONS) has no segments.
 */
export function normalizePath(path: string, normalization: PathNormalization): string {
  if (path === '') return '/';
  const decoded = normalizeTriplets(path);
  if (!decoded.startsWith('/')) return decoded;
  const normalized = removeDotSegments(decoded);
  return normalization === 'strict' ? mergeSlashes(normalized) : normalized;
}

const mergeSlashes = (path: string): string => path.replace(/\/{2,}/g, '/');

/** Encoded and other separators, NUL, and dot segments with parameters. */
const ambiguous = /%2F|%5C|%00|\\|\/\.\.?;/;

/** Whether common origin servers read a different path in this normalized one. */
export const isAmbiguousPath = (path: string): boolean => ambiguous.test(path);

/**
 * The query (without `?`) as conditions see it: percent-triplets are normalized, everything else is kept, including
 * order and `+`. Also the form in which parameter names are compared.
 */
export const normalizeQuery = (query: string): string => normalizeTriplets(query);

const needsTriplet = /[ \x80-\xff]/g;

/**
 * A configuration text as it appears in a URL: UTF-8 bytes, with spaces and bytes from 0x80 as triplets, and triplets
 * normalized as in requests.
 */
export const urlText = (text: string): string =>
  normalizeQuery(
    utf8(text).replace(needsTriplet, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`),
  );

/**
 * Decodes triplets of unreserved characters and upper-cases the others; a lone `%` stays. A decoded character never
 * completes a new triplet (`%%32e` stays): otherwise a second reader would decode twice, which RFC 3986 section 2.4
 * forbids, and normalization would not be idempotent.
 */
function normalizeTriplets(text: string): string {
  if (!text.includes('%')) return text;
  const read: string[] = [];
  let at = 0;
  while (at < text.length) {
    triplet.lastIndex = at;
    const part = triplet.test(text) ? text.slice(at, at + 3) : text.charAt(at);
    read.push(part.length === 3 ? normalizedTriplet(part, read) : part);
    at += part.length;
  }
  return read.join('');
}

function normalizedTriplet(found: string, before: readonly string[]): string {
  const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
  const decodes = unreserved.test(character) && !(hexDigit.test(character) && followsLonePercent(before));
  return decodes ? character : found.toUpperCase();
}

/**
 * Whether the preceding characters are `%`, optionally with one hexadecimal digit, so that further digits would
 * complete a triplet.
 */
function followsLonePercent(before: readonly string[]): boolean {
  const last = before.at(-1) ?? '';
  return last === '%' || (hexDigit.test(last) && before.at(-2) === '%');
}

/** RFC 3986 section 5.2.4 for a path that starts with a slash, in linear time. */
export function removeDotSegments(path: string): string {
  if (!path.includes('/.')) return path;
  const segments = path.slice(1).split('/');
  const result: string[] = [];
  for (const [index, segment] of segments.entries()) {
    if (segment === '..') result.splice(-1);
    if (segment !== '.' && segment !== '..') result.push(segment);
    else if (index === segments.length - 1) result.push('');
  }
  return `/${result.join('/')}`;
}

import { canonicalHost } from '../request/authority.ts';
import { removeDotSegments, urlText } from '../request/request-target.ts';
import type { BaseOperator } from './operators.ts';

const notInPath = /[?#]/;
const dotSegmentInside = /\/\.\.?\//;
const dotSegmentAtEnd = /\/\.\.?$/;

/** The canonical value of a path; undefined if no path can match. Not for patterns. */
export function canonicalPath(operator: BaseOperator, written: string): string | undefined {
  if (notInPath.test(written)) return undefined;
  const text = urlText(written);
  if (operator === 'starts_with') return pathStart(text);
  if (operator === 'equals' || operator === 'in') return wholePath(text);
  const hasDots = dotSegmentInside.test(text) || (operator === 'ends_with' && dotSegmentAtEnd.test(text));
  return hasDots ? undefined : text;
}

/** The canonical value of a query; undefined if no query can match. */
export const canonicalQuery = (written: string): string | undefined =>
  written.includes('#') ? undefined : urlText(written);

/** The canonical value of a URL or a part of one; undefined if no URL can match. */
export function canonicalUrl(operator: BaseOperator, written: string): string | undefined {
  if (written.includes('#')) return undefined;
  if (operator === 'equals' || operator === 'in') return wholeUrl(written);
  return operator === 'starts_with' ? urlStart(written) : urlText(written);
}

const wholePath = (text: string): string => (text.startsWith('/') ? removeDotSegments(text) : text);

/** Normalizes only up to the last slash: the segment after it continues in matching paths. */
function pathStart(text: string): string {
  const end = text.lastIndexOf('/') + 1;
  return wholePath(text.slice(0, end)) + text.slice(end);
}

const urlParts = /^(https?:\/\/)([^/?]*)([^?]*)(?:\?([^]*))?$/i;

/** The scheme has its `://` and is in lower case; the query has no `?`, and is undefined if absent. */
function partsOf(written: string) {
  const [, scheme, authority = '', path = '', query] = urlParts.exec(written) ?? [];
  return scheme === undefined ? undefined : { scheme: scheme.toLowerCase(), authority, path, query };
}

function wholeUrl(written: string): string | undefined {
  const parts = partsOf(written);
  const host = parts === undefined ? undefined : canonicalHost(parts.authority);
  if (parts === undefined || host === undefined) return undefined;
  const query = parts.query === undefined || parts.query === '' ? '' : `?${urlText(parts.query)}`;
  return `${parts.scheme}${host}${pathOfUrl(parts.path)}${query}`;
}

const pathOfUrl = (path: string): string => (path === '' ? '/' : wholePath(urlText(path)));

function urlStart(written: string): string | undefined {
  const folded = written.toLowerCase();
  if ('http://'.startsWith(folded) || 'https://'.startsWith(folded)) return folded;
  const parts = partsOf(written);
  if (parts === undefined) return undefined;
  const { scheme, authority, path, query } = parts;
  if (path === '' && query === undefined) {
    const host = authority.toLowerCase();
    return isHostStart(host) ? scheme + host : undefined;
  }
  const host = canonicalHost(authority);
  if (host === undefined) return undefined;
  return query === undefined
    ? `${scheme}${host}${pathStart(urlText(path))}`
    : `${scheme}${host}${pathOfUrl(path)}?${urlText(query)}`;
}

const nameStart = /^[a-z0-9_][a-z0-9_.-]*$/;
const ipv6Start = /^\[[0-9a-f:.]*\]?$/;

/** Whether a canonical host can start like this (lower case). */
const isHostStart = (text: string): boolean => (nameStart.test(text) && !text.includes('..')) || ipv6Start.test(text);

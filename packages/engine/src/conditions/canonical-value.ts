import { formatIpRange, parseIpRange } from '../addresses/ip-address.ts';
import { utf8 } from '../request/bytes.ts';
import { countryCodes } from '../request/countries.ts';
import { urlText } from '../request/request-target.ts';
import { canonicalPath, canonicalQuery, canonicalUrl } from './canonical-url.ts';
import type { FieldName } from './fields.ts';
import { entriesOf } from './list-entries.ts';
import { type BaseOperator, baseOf, type ConditionOperator } from './operators.ts';

/** Canonicalizes a value or list entry; undefined if no request can match it. */
type Canonical = (operator: BaseOperator, written: string) => string | undefined;

const isWhole = (operator: BaseOperator): boolean => operator === 'equals' || operator === 'in';

const canonicalParameter: Canonical = (_, written) => (/[#&]/.test(written) ? undefined : urlText(written));

/** Subjects are trimmed, so they neither start nor end with a blank. */
const headerText: Canonical = (operator, written) => {
  const startsWrongly = (isWhole(operator) || operator === 'starts_with') && written.startsWith(' ');
  const endsWrongly = (isWhole(operator) || operator === 'ends_with') && written.endsWith(' ');
  return startsWrongly || endsWrongly ? undefined : utf8(written);
};

const cookieText: Canonical = (operator, written) =>
  written.includes(';') ? undefined : headerText(operator, written);

const hostText: Canonical = (operator, written) => {
  const folded = written.toLowerCase();
  const dropsDot = operator !== 'contains' && operator !== 'starts_with' && folded.endsWith('.');
  const text = dropsDot ? folded.slice(0, -1) : folded;
  if (text === '' || folded.includes('..')) return undefined;
  if (operator === 'starts_with' && /^[.-]/.test(text)) return undefined;
  return operator === 'ends_with' && /[.-]$/.test(text) ? undefined : text;
};

const contentTypeText: Canonical = (operator, written) => {
  const text = written.toLowerCase();
  if (text.indexOf('/') !== text.lastIndexOf('/')) return undefined;
  if (operator === 'starts_with' && text.startsWith('/')) return undefined;
  return operator === 'ends_with' && text.endsWith('/') ? undefined : text;
};

const countryText: Canonical = (_, written) => {
  const code = written.toUpperCase();
  return countryCodes.has(code) ? code : undefined;
};

const ipText: Canonical = (_, written) => {
  const range = parseIpRange(written);
  return range.ok ? formatIpRange(range.value) : undefined;
};

const lowerCase: Canonical = (_, written) => written.toLowerCase();
const asWritten: Canonical = (_, written) => written;

const canonicalTexts: Readonly<Record<FieldName, Canonical>> = {
  uri: canonicalPath,
  query: (_, written) => canonicalQuery(written),
  url: canonicalUrl,
  queryParam: canonicalParameter,
  header: headerText,
  userAgent: headerText,
  referer: headerText,
  acceptLanguage: headerText,
  cookie: cookieText,
  host: hostText,
  contentType: contentTypeText,
  country: countryText,
  scheme: lowerCase,
  extension: lowerCase,
  ip: ipText,
  asn: (_, written) => written.replace(/^as/i, ''),
  method: asWritten,
  status: asWritten,
};

/** The canonical form of a value. */
export interface CanonicalValue {
  /**
   * The texts to compare subjects with, as byte strings: one for a single value, none for `exists`, and a sorted list
   * without duplicates for lists. Unmatchable texts are omitted, so there may be none.
   */
  readonly texts: readonly string[];
  /** Indexes, from 0, of list entries that no request can match; 0 for a single value. */
  readonly unmatchable: readonly number[];
}

/**
 * The canonical form of a valid value for its field and operator: two values are equivalent if and only if their
 * `texts` are equal. Negation makes no difference.
 */
export function canonicalValue(field: FieldName, operator: ConditionOperator, written: string): CanonicalValue {
  const base = baseOf(operator);
  if (base === 'exists') return { texts: [], unmatchable: [] };
  if (base === 'matches' || base === 'matches_ci') return { texts: [written], unmatchable: [] };
  const texts = entriesOf(field, base, written).map((entry) => canonicalTexts[field](base, entry));
  return {
    texts: [...new Set(texts.filter((text) => text !== undefined))].toSorted(),
    unmatchable: texts.flatMap((text, index) => (text === undefined ? [index] : [])),
  };
}

/** The form in which targets are compared: lower case for headers, URL text for parameters. */
export function canonicalTarget(field: FieldName, written: string): string {
  if (field === 'header') return written.toLowerCase();
  return field === 'queryParam' ? urlText(written) : written;
}

const startsWithMark = new Set<BaseOperator>(['equals', 'in', 'starts_with']);

/**
 * Indexes, from 0, of entries with a leading `?`, which is not part of a query: they would only match queries that
 * start with a second one.
 */
export function markedQueries(field: FieldName, operator: ConditionOperator, written: string): readonly number[] {
  const base = baseOf(operator);
  if (field !== 'query' || !startsWithMark.has(base)) return [];
  return entriesOf(field, base, written).flatMap((entry, index) => (entry.startsWith('?') ? [index] : []));
}

import { formatIpRange, parseIpRange } from '../addresses/ip-address.ts';
import { utf8 } from '../request/bytes.ts';
import { countryCodes } from '../request/countries.ts';
import { urlText } from '../request/url-text.ts';
import { canonicalPath, canonicalQuery, canonicalUrl } from './canonical-url.ts';
import { type FieldName, listSeparator } from './fields.ts';
import { listEntries } from './list-entries.ts';
import { type BaseOperator, baseOf, type ConditionOperator } from './operators.ts';

/** Gives the canonical form of one value or list entry; undefined when no request can fit it. */
type Canonical = (operator: BaseOperator, written: string) => string | undefined;

const isWhole = (operator: BaseOperator): boolean => operator === 'equals' || operator === 'in';

const canonicalParameter: Canonical = (_, written) => (/[#&]/.test(written) ? undefined : urlText(written));

/** Subjects are trimmed, so nothing of them starts or ends with a space. */
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

/** What a value means. */
export interface CanonicalValue {
  /**
   * The texts that subjects are compared with, as byte strings: one for a single value, none for `exists`; those of a
   * list are sorted, none twice. What no request can fit is left out, so a condition may have none.
   */
  readonly texts: readonly string[];
  /** Places, from 0, of the list entries that no request can fit; 0 for a single value. */
  readonly unmatchable: readonly number[];
}

/**
 * The canonical form of a value that its field and operator accept: two values mean the same exactly when their `texts`
 * are the same. Negation makes no difference.
 */
export function canonicalValue(field: FieldName, operator: ConditionOperator, written: string): CanonicalValue {
  const base = baseOf(operator);
  if (base === 'exists') return { texts: [], unmatchable: [] };
  if (base === 'matches' || base === 'matches_ci') return { texts: [written], unmatchable: [] };
  const entries = base === 'in' ? listEntries(written, listSeparator(field)) : [written];
  const texts = entries.map((entry) => canonicalTexts[field](base, entry));
  return {
    texts: [...new Set(texts.filter((text) => text !== undefined))].toSorted(),
    unmatchable: texts.flatMap((text, index) => (text === undefined ? [index] : [])),
  };
}

/** The form in which a target is compared: the lower-case name of a header, the URL text of a parameter. */
export function canonicalTarget(field: FieldName, written: string): string {
  if (field === 'header') return written.toLowerCase();
  return field === 'queryParam' ? urlText(written) : written;
}

const startsWithMark = new Set<BaseOperator>(['equals', 'in', 'starts_with']);

/**
 * Places, from 0, of the entries of a value that begin with the `?` which is no part of a query: they would fit
 * nothing but queries that begin with a second one.
 */
export function markedQueries(field: FieldName, operator: ConditionOperator, written: string): readonly number[] {
  const base = baseOf(operator);
  if (field !== 'query' || !startsWithMark.has(base)) return [];
  const entries = base === 'in' ? listEntries(written, listSeparator(field)) : [written];
  return entries.flatMap((entry, index) => (entry.startsWith('?') ? [index] : []));
}

import { freeText, list, noValue, pattern, type TextForm, valueLimits } from './condition-forms.ts';
import type { BaseOperator } from './condition-operators.ts';
import { cookieName, headerName, queryParameterName } from './condition-targets.ts';
import {
  asn,
  contentType,
  contentTypePart,
  country,
  extension,
  host,
  hostPart,
  ipAddress,
  ipRange,
  method,
  path,
  scheme,
  status,
  url,
} from './condition-values.ts';

/** Part of a request that a condition looks at, under its canonical name. */
export type FieldName =
  | 'uri'
  | 'query'
  | 'url'
  | 'queryParam'
  | 'header'
  | 'cookie'
  | 'method'
  | 'host'
  | 'scheme'
  | 'ip'
  | 'country'
  | 'asn'
  | 'userAgent'
  | 'referer'
  | 'acceptLanguage'
  | 'contentType'
  | 'extension'
  | 'status';

interface ConditionField {
  /** Form of the target; a field without one takes no target. */
  readonly target?: TextForm;
  /** The operators that fit the field, negated or not, each with the form of its value. */
  readonly values: Readonly<Partial<Record<BaseOperator, TextForm>>>;
}

const { whole, part } = valueLimits;
const anyPart = freeText({ min: 1, max: part });

/** Separators of entries that may hold commas themselves, and of entries that may not. */
const lines = /\n/;
const linesAndCommas = /[\n,]/;
const usualEntries = 250;
const ipEntries = 500;

const freeLines = (entry: TextForm) => list(entry, { separator: lines, max: usualEntries });
const names = (entry: TextForm) => list(entry, { separator: linesAndCommas, max: usualEntries });

const patterns = { matches: pattern, matches_ci: pattern } as const;
const parts = (form: TextForm) => ({ contains: form, starts_with: form, ends_with: form });
const choice = (form: TextForm) => ({ equals: form, in: names(form) });

const free = {
  equals: freeText({ min: 0, max: whole }),
  ...parts(anyPart),
  ...patterns,
  in: freeLines(anyPart),
} as const;
/** A subject that a request may lack. */
const presence = { exists: noValue } as const;

/** What each field takes: its target, its operators and their values. */
export const conditionFields: Readonly<Record<FieldName, ConditionField>> = {
  uri: { values: { ...free, equals: path(whole), starts_with: path(part), in: freeLines(path(part)) } },
  query: { values: free },
  url: {
    values: {
      ...free,
      equals: url({ min: 0, max: whole }),
      starts_with: url({ min: 1, max: part }),
      in: freeLines(url({ min: 1, max: part })),
    },
  },
  queryParam: { target: queryParameterName, values: { ...free, ...presence } },
  header: { target: headerName, values: { ...free, ...presence } },
  cookie: { target: cookieName, values: { ...free, ...presence } },
  method: { values: choice(method) },
  host: { values: { ...choice(host), ...parts(hostPart), ...patterns } },
  scheme: { values: choice(scheme) },
  ip: { values: { equals: ipAddress, in: list(ipRange, { separator: linesAndCommas, max: ipEntries }) } },
  country: { values: choice(country) },
  asn: { values: { ...choice(asn), ...presence } },
  userAgent: { values: { ...free, ...presence } },
  referer: { values: { ...free, ...presence } },
  acceptLanguage: { values: { ...free, ...presence } },
  contentType: { values: { ...choice(contentType), ...parts(contentTypePart), ...presence } },
  extension: { values: { ...choice(extension), ...presence } },
  status: { values: choice(status) },
};

/** Every spelling a client may use, with the field it stands for. */
const fields = {
  uri: 'uri',
  path: 'uri',
  query: 'query',
  queryString: 'query',
  url: 'url',
  queryParam: 'queryParam',
  args: 'queryParam',
  arg: 'queryParam',
  header: 'header',
  headers: 'header',
  cookie: 'cookie',
  cookies: 'cookie',
  method: 'method',
  host: 'host',
  hostname: 'host',
  scheme: 'scheme',
  protocol: 'scheme',
  ip: 'ip',
  country: 'country',
  asn: 'asn',
  userAgent: 'userAgent',
  user_agent: 'userAgent',
  referer: 'referer',
  acceptLanguage: 'acceptLanguage',
  accept_language: 'acceptLanguage',
  contentType: 'contentType',
  content_type: 'contentType',
  extension: 'extension',
  status: 'status',
} as const satisfies Record<string, FieldName>;

/** A field as a client may write it; upper and lower case matter. */
export type FieldSpelling = keyof typeof fields;

/** Fields of the answer: known only to what looks at requests after they were answered. */
const answerFields: ReadonlySet<FieldName> = new Set(['status']);

/** Which fields a set of conditions may look at. */
export type FieldScope = 'request' | 'requestAndAnswer';

const isInScope = (field: FieldName, scope: FieldScope): boolean =>
  scope === 'requestAndAnswer' || !answerFields.has(field);

/** All spellings of the fields in scope. */
export const fieldSpellings = (scope: FieldScope): readonly string[] =>
  Object.entries(fields).flatMap(([spelling, field]) => (isInScope(field, scope) ? [spelling] : []));

/** The fields in scope under their canonical names. */
export const fieldNames = (scope: FieldScope): readonly string[] =>
  [...new Set(Object.values(fields))].filter((field) => isInScope(field, scope));

/** Whether a client may write a field like this. */
export const isFieldSpelling = (spelling: string, scope: FieldScope): spelling is FieldSpelling =>
  Object.hasOwn(fields, spelling) && isInScope(fields[spelling as FieldSpelling], scope);

/** The field a spelling stands for. */
export const fieldOf = (spelling: FieldSpelling): FieldName => fields[spelling];

import type { BaseOperator } from './operators.ts';

/** All accepted spellings, with the field they mean. */
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
} as const;

/** The part of a request that a condition tests, by canonical name. */
export type FieldName = (typeof fields)[keyof typeof fields];

/** A field as clients may write it; case-sensitive. */
export type FieldSpelling = keyof typeof fields;

/** Fields of the response, unknown until a request has been answered. */
const answerFields: ReadonlySet<FieldName> = new Set(['status']);

/** Which fields a set of conditions may use. */
export type FieldScope = 'request' | 'requestAndAnswer';

const isInScope = (field: FieldName, scope: FieldScope): boolean =>
  scope === 'requestAndAnswer' || !answerFields.has(field);

/** All spellings of the fields in scope. */
export const fieldSpellings = (scope: FieldScope): readonly string[] =>
  Object.entries(fields).flatMap(([spelling, field]) => (isInScope(field, scope) ? [spelling] : []));

/** The canonical names of the fields in scope. */
export const fieldNames = (scope: FieldScope): readonly string[] =>
  [...new Set(Object.values(fields))].filter((field) => isInScope(field, scope));

/** Whether a client may write a field like this. */
export const isFieldSpelling = (spelling: string, scope: FieldScope): spelling is FieldSpelling =>
  // `Object.hasOwn` does not narrow the key.
  Object.hasOwn(fields, spelling) && isInScope(fields[spelling as FieldSpelling], scope);

/** The field that a spelling means. */
export const fieldOf = (spelling: FieldSpelling): FieldName => fields[spelling];

const patterns = ['matches', 'matches_ci'] as const;
const parts = ['contains', 'starts_with', 'ends_with'] as const;
const choice = ['equals', 'in'] as const;
const text = [...choice, ...parts, ...patterns] as const;
const optionalText = [...text, 'exists'] as const;

/** The operators that each field supports, plain or negated. `exists` is for subjects that a request may lack. */
export const fieldOperators: Readonly<Record<FieldName, readonly BaseOperator[]>> = {
  uri: text,
  query: text,
  url: text,
  queryParam: optionalText,
  header: optionalText,
  cookie: optionalText,
  method: choice,
  host: text,
  scheme: choice,
  ip: choice,
  country: choice,
  asn: [...choice, 'exists'],
  userAgent: optionalText,
  referer: optionalText,
  acceptLanguage: optionalText,
  contentType: [...choice, ...parts, 'exists'],
  extension: [...choice, 'exists'],
  status: choice,
};

const namedFields: ReadonlySet<FieldName> = new Set(['header', 'cookie', 'queryParam']);

/** Whether the field needs a target: the name of the header, cookie or parameter. */
export const takesTarget = (field: FieldName): boolean => namedFields.has(field);

import type { Schema } from './json-schema.ts';

/** A header field of an answer (OpenAPI 3.1 section 4.8.21). */
export interface Header {
  readonly description: string;
  /** Whether every answer that is said to have it has it. */
  readonly required: boolean;
  readonly schema: Schema;
}

const text: Schema = { type: 'string' };
const wholeNumber: Schema = { type: 'integer', minimum: 0 };

const header = (description: string, schema: Schema, required = true): Header => ({ description, required, schema });
const sometimes = (description: string, schema: Schema): Header => header(description, schema, false);

/** Header fields of answers, by name. */
export const headers = {
  'X-Request-Id': header('Name of the request, also in the log of the service.', text),
  Link: header(
    'Where the API is described (relation `http://www.w3.org/ns/hydra/core#apiDocumentation`); on lists in `application/json` also `first`, `prev`, `next` and `last` (RFC 8288), or `next` alone where the query is long.',
    text,
  ),
  ETag: sometimes('Entity tag of what is answered, for `If-None-Match` and `If-Match` (RFC 9110 section 8.8.3).', {
    ...text,
    examples: ['"3"'],
  }),
  Location: header('Address of the new resource, path-absolute.', { ...text, format: 'iri-reference' }),
  'X-Total-Count': sometimes('Number of items on all pages; on lists in `application/json`.', wholeNumber),
  'Rule-Positions': sometimes(
    'The positions that changed, as `"<id>";order=<position>` separated by commas (RFC 9651 section 3.1); absent when none did, and when they would take more than 2 KB.',
    text,
  ),
  'Idempotency-Replayed': sometimes('`true` on an answer that was given before under the same `Idempotency-Key`.', {
    ...text,
    const: 'true',
  }),
  RateLimit: sometimes(
    'What is left of each limit that the request came under: `"<name>";r=<remaining>;t=<seconds>`.',
    text,
  ),
  'RateLimit-Policy': sometimes('These limits: `"<name>";q=<points>;w=<seconds>`.', text),
  'Retry-After': header('Seconds after which the request may succeed.', wholeNumber),
  'WWW-Authenticate': header('The scheme in which credentials are expected.', { ...text, const: 'Bearer' }),
  Allow: header('The methods that the address has.', text),
  'Set-Cookie': sometimes('Session cookies, set or taken back.', text),
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof headers;

/** Refers to header fields of the document. */
export const headersNamed = (
  ...names: readonly HeaderName[]
): Readonly<Partial<Record<HeaderName, { readonly $ref: string }>>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

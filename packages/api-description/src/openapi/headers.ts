import type { Schema } from './json-schema.ts';

/** A response header field (OpenAPI 3.1 section 4.8.21). */
export interface Header {
  readonly description: string;
  /** Whether it is always present in responses that list it. */
  readonly required: boolean;
  readonly schema: Schema;
}

const text: Schema = { type: 'string' };
const wholeNumber: Schema = { type: 'integer', minimum: 0 };

const header = (description: string, schema: Schema, required = true): Header => ({ description, required, schema });
const optionalHeader = (description: string, schema: Schema): Header => header(description, schema, false);

/** Response header fields by name. */
export const headers = {
  'X-Request-Id': header('Id of the request; also appears in the log of the service.', text),
  Link: header(
    'Link to the API documentation (relation `http://www.w3.org/ns/hydra/core#apiDocumentation`); on lists in `application/json` also `first`, `prev`, `next` and `last` (RFC 8288), or only `next` if the query is long.',
    text,
  ),
  ETag: optionalHeader(
    'Entity tag of the representation, for `If-None-Match` and `If-Match` (RFC 9110 section 8.8.3).',
    {
      ...text,
      examples: ['"3"'],
    },
  ),
  Location: header('Absolute path of the new resource, or where the browser is sent.', {
    ...text,
    format: 'iri-reference',
  }),
  'X-Total-Count': optionalHeader('Total number of items on all pages; on lists in `application/json`.', wholeNumber),
  'Rule-Positions': optionalHeader(
    'The rules whose position changed, as a comma-separated list of `"<id>";order=<position>` (RFC 9651 section 3.1); absent if there are none or if the list would exceed 2 KB.',
    text,
  ),
  'Idempotency-Replayed': optionalHeader(
    '`true` if the response is repeated from an earlier request with the same `Idempotency-Key`.',
    {
      ...text,
      const: 'true',
    },
  ),
  RateLimit: optionalHeader(
    'What remains of each limit that applies to the request: `"<name>";r=<remaining>;t=<seconds>`.',
    text,
  ),
  'RateLimit-Policy': optionalHeader('The limits that apply: `"<name>";q=<points>;w=<seconds>`.', text),
  'Retry-After': header('Seconds to wait before trying again.', wholeNumber),
  'WWW-Authenticate': header('The expected authentication scheme.', { ...text, const: 'Bearer' }),
  Allow: header('The methods that the resource supports.', text),
  'Set-Cookie': optionalHeader('Sets or clears session cookies.', text),
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof headers;

/** References to header components. */
export const headersNamed = (
  ...names: readonly HeaderName[]
): Readonly<Partial<Record<HeaderName, { readonly $ref: string }>>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

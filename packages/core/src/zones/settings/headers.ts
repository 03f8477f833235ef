import { z } from 'zod';
import { firstBroken, ignoringCase, patternedText, uniqueList } from '../../kernel/shared/constraints.ts';
import { settings } from './setting.ts';

const tokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValuePattern = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/;

/** Maximum length of a header or cookie name. */
const maxNameLength = 128;
/** Maximum length of a header value, in bytes. */
const maxFieldValueBytes = 4096;

const tokenSyntax = {
  maxLength: maxNameLength,
  pattern: tokenPattern,
  code: 'settings.token',
  message: "This value should consist only of letters, digits and the characters !#$%&'*+-.^_`|~.",
};

/** A cookie name: a token (RFC 6265 section 4.1.1, RFC 9110 section 5.6.2). */
export const CookieName = patternedText(tokenSyntax);

/** A header field name (RFC 9110 section 5.1) that is not refused. */
export const headerName = (isRefused: (name: string) => boolean) =>
  patternedText({
    ...tokenSyntax,
    also: [
      {
        holds: (name) => !isRefused(name),
        code: 'settings.header.forbidden',
        message: 'This header cannot be used here.',
      },
    ],
  });

/**
 * A header field value (RFC 9110 section 5.5): visible ASCII, inner spaces and tabs, and obs-text, in which U+0080 to
 * U+00FF stand for single bytes. There are no variables or templates.
 */
export const FieldValue = z
  .string()
  .check(
    firstBroken<string>(
      {
        holds: (value) => value.length <= maxFieldValueBytes,
        code: 'text.tooLong',
        message: `This value should have at most ${maxFieldValueBytes} bytes.`,
      },
      {
        holds: (value) => fieldValuePattern.test(value),
        code: 'settings.header.value',
        message:
          'This value should be visible ASCII or Latin-1 text without line breaks or leading and trailing spaces.',
      },
    ),
  )
  .meta({ maxLength: maxFieldValueBytes, pattern: fieldValuePattern.source });

/** Fields that control the connection or message framing (RFC 9110 section 7.6.1, RFC 9112 section 6). */
const connectionFields = [
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

const refusedOnRequest = new Set([
  ...connectionFields,
  'expect',
  'host',
  'proxy-authorization',
  'te',
  // Set by the edge itself: a fixed value would hide the client from the origin, or that a request goes in circles.
  'cdn-loop',
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-real-ip',
]);

const refusedOnResponse = new Set([...connectionFields, 'age', 'content-encoding', 'content-range', 'date']);

const refusedInCacheKey = new Set([
  ...connectionFields,
  'authorization',
  'cookie',
  'host',
  'proxy-authenticate',
  'proxy-authorization',
  'range',
  'te',
]);

/** HTTP/2 and HTTP/3 carry the request line and the status in pseudo-fields named `:…` (RFC 9113 section 8.3). */
const isPseudoField = (name: string): boolean => name.startsWith(':');

/** Whether settings must not set this header on requests to the origin. */
export const isRefusedOnRequest = (name: string): boolean =>
  isPseudoField(name) || refusedOnRequest.has(name.toLowerCase());

/** Whether settings must neither add nor remove this response header. */
export const isRefusedOnResponse = (name: string): boolean =>
  isPseudoField(name) || refusedOnResponse.has(name.toLowerCase());

/** Whether settings must not replace this response header: replacing `Set-Cookie` would drop all other cookies. */
export const isRefusedInResponseSet = (name: string): boolean =>
  isRefusedOnResponse(name) || name.toLowerCase() === 'set-cookie';

/** Whether this request header must not be part of a cache key: personal, conditional or connection-related. */
export const isRefusedInCacheKey = (name: string): boolean => {
  const key = name.toLowerCase();
  return isPseudoField(key) || key.startsWith('if-') || refusedInCacheKey.has(key);
};

const maxFields = 50;

/** Maximum total length of the names and values in a header list, in bytes. */
const maxListBytes = 16_384;

interface HeaderField {
  readonly name: string;
  readonly value: string;
}

const headerField = (isRefused: (name: string) => boolean) =>
  z.strictObject({
    name: headerName(isRefused).meta({ description: 'Name of the header; case-insensitive.' }),
    value: FieldValue.meta({ description: 'Literal value of the header; at most 4096 bytes.' }),
  });

/** Validated names and values have one byte per character. */
const bytesOf = (fields: readonly HeaderField[]): number =>
  fields.reduce((total, { name, value }) => total + name.length + value.length, 0);

const withinTotal = firstBroken<readonly HeaderField[]>({
  holds: (fields) => bytesOf(fields) <= maxListBytes,
  code: 'settings.header.total',
  message: `The names and values in this list should have at most ${maxListBytes} bytes in total.`,
});

const byName = { maxItems: maxFields, key: ({ name }: HeaderField) => ignoringCase(name), at: ['name'] };

// Neither contains a line feed.
const asPair = { maxItems: maxFields, key: ({ name, value }: HeaderField) => `${ignoringCase(name)}\n${value}` };

/** Operations on headers; on responses they run in the order remove, set, add. */
export const headerSettings = settings({
  headersRequestSet: [
    uniqueList(headerField(isRefusedOnRequest), byName).check(withinTotal),
    'Headers replaced on the request to the origin.',
  ],
  headersResponseSet: [
    uniqueList(headerField(isRefusedInResponseSet), byName).check(withinTotal),
    'Headers replaced on the response to the client; Set-Cookie can only be added or removed.',
  ],
  headersResponseAdd: [
    uniqueList(headerField(isRefusedOnResponse), asPair).check(withinTotal),
    'Headers added to the response to the client; a name may occur several times with different values.',
  ],
  headersResponseRemove: [
    uniqueList(headerName(isRefusedOnResponse), { maxItems: maxFields, key: ignoringCase }),
    'Headers removed from the response to the client.',
  ],
});

import {
  type BaseOperator,
  type FieldName,
  formatIpAddress,
  formatIpRange,
  listSeparators,
  type MalformedIp,
  normalizeQuery,
  parseIpAddress,
  parseIpRange,
} from '@zonewright/engine';
import { err, ok, type Result } from 'neverthrow';
import { resultOf } from '../../kernel/shared/parse.ts';
import { usageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import {
  type FormatProblem,
  fixedText,
  formatProblem,
  freeText,
  list,
  lowerCase,
  malformedValue,
  noValue,
  pattern,
  type TextFormat,
  upperCase,
  valueLimits,
} from './formats.ts';

/** Token characters (RFC 9110 section 5.6.2), for use in a character class. */
const tokenCharacters = "!#$%&'*+.^_`|~0-9A-Za-z-";

/** Paths are compared after normalization, when they always start with a slash. */
const path =
  (max: number): TextFormat =>
  (written) =>
    written.startsWith('/')
      ? freeText({ min: 1, max })(written)
      : malformedValue(written, 'A path must start with "/".');

const authority = /^https?:\/\/[\w.:[\]-]*/i;

/** A URL or a prefix of one. Scheme and host are folded, since they are lower case in the request's URL. */
const url =
  (limits: { readonly min: 0 | 1; readonly max: number }): TextFormat =>
  (written) =>
    freeText(limits)(written).map((text) => text.replace(authority, lowerCase));

const maxHostLength = 253;
const label = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;
const hostMessage =
  'This value should be a host name without a scheme, port or wildcard; write international names as A-labels ("xn--…").';

/** A host name (RFC 1123 section 2.1, plus underscores, as in browsers). The canonical text has no final dot. */
const host: TextFormat = (written) => {
  const name = written.endsWith('.') ? written.slice(0, -1) : written;
  const isName = name.length <= maxHostLength && name.split('.').every((each) => label.test(each));
  return isName ? ok(lowerCase(name)) : malformedValue(written, hostMessage);
};

/** Part of a host name. */
const hostPart = fixedText(
  /^[A-Za-z0-9_.-]+$/,
  'This value should contain only characters that are allowed in host names.',
  {
    max: maxHostLength,
    fold: lowerCase,
  },
);

/** Methods are case-sensitive (RFC 9110 section 9.1), and all methods in use are upper case. */
const method = fixedText(
  /^[!#$%&'*+.^_`|~0-9A-Z-]+$/,
  'This value should be a method name in uppercase, of at most 32 characters.',
  { max: 32 },
);

/** Scheme of the client's request. */
const scheme = fixedText(/^https?$/i, 'This value should be http or https.', { max: 5, fold: lowerCase });

/** ISO 3166-1 alpha-2, plus `XX` for unknown and `T1` for the Tor network. */
const country = fixedText(
  /^(?:[A-Za-z]{2}|[Tt]1)$/,
  'This value should be a two-letter country code (ISO 3166-1 alpha-2), or T1.',
  { max: 2, fold: upperCase },
);

const asNumber = /^(?:[Aa][Ss])?([1-9][0-9]{0,9})$/;
const maxAsNumber = 4_294_967_295;

/** An autonomous system number (RFC 6793), with or without the prefix `AS`. */
const asn: TextFormat = (written) => {
  const digits = asNumber.exec(written)?.[1];
  return digits !== undefined && Number(digits) <= maxAsNumber
    ? ok(digits)
    : malformedValue(written, `This value should be an AS number from 1 to ${maxAsNumber}.`);
};

const mediaType = new RegExp(`^[${tokenCharacters}]+/[${tokenCharacters}]+$`);

/** A media type without parameters (RFC 9110 section 8.3.1). */
const contentType = fixedText(mediaType, 'This value should be a media type such as text/html, without parameters.', {
  max: 255,
  fold: lowerCase,
});

/** Part of a media type. */
const contentTypePart = fixedText(
  new RegExp(`^[${tokenCharacters}/]+$`),
  'This value should contain only characters that are allowed in media types.',
  { max: 255, fold: lowerCase },
);

/** The part of a path after its last dot; longer parts do not count as extensions. */
const extension = fixedText(
  /^[0-9A-Za-z]+$/,
  'This value should be a file name extension of 1 to 16 letters and digits, without the dot.',
  { max: 16, fold: lowerCase },
);

const ipMessages = {
  address: 'This value should be an IPv4 or IPv6 address; IPv4 octets have no leading zeros.',
  prefix: 'The prefix length should be a number from 0 to 32 (IPv4) or 128 (IPv6).',
  zone: 'An address with a zone id is only meaningful on its own link; remove the zone id.',
} as const;

const ipProblem = ({ reason }: MalformedIp) => formatProblem('value.syntax', ipMessages[reason]);

/** A single address; ranges are allowed in lists only. */
const ipAddress: TextFormat = (written) =>
  written === '' || written.includes('/')
    ? malformedValue(written, 'This operator compares single addresses; use "in" or "not_in" for a range.')
    : resultOf(parseIpAddress(written)).map(formatIpAddress).mapErr(ipProblem);

/** An address or CIDR range; host bits are ignored. */
const ipRange: TextFormat = (written) => resultOf(parseIpRange(written)).map(formatIpRange).mapErr(ipProblem);

/** A response status code (RFC 9110 section 15). */
const status = fixedText(/^[1-5][0-9]{2}$/, 'This value should be a status code from 100 to 599.', { max: 3 });

const maxTargetLength = 128;
const tokenText = new RegExp(`^[${tokenCharacters}]+$`);
const parameterName = /^[^&=# \p{Cc}]{1,128}$/u;

const malformed = (message: string): Result<never, FormatProblem> => err(formatProblem('target.syntax', message));

/** A header name (RFC 9110 section 5.1), compared in lower case. `Host` is refused: it has a field of its own. */
const headerTarget: TextFormat = (written) => {
  if (written.length > maxTargetLength || !tokenText.test(written)) {
    return malformed('This target should be a header name of at most 128 characters.');
  }
  const name = written.toLowerCase();
  return name === 'host' ? err(formatProblem('target.host', 'Use the field "host" for the Host header.')) : ok(name);
};

/** A cookie name (RFC 6265 section 4.1.1); case-sensitive. */
const cookieTarget: TextFormat = (written) =>
  written.length <= maxTargetLength && tokenText.test(written)
    ? ok(written)
    : malformed('This target should be a cookie name of at most 128 characters.');

/** The name of a query parameter as written in the query; compared after normalization. */
const queryParameterTarget: TextFormat = (written) =>
  written.length <= 2 * maxTargetLength && written.isWellFormed() && parameterName.test(written)
    ? ok(normalizeQuery(written))
    : malformed(
        'This target should be a parameter name of at most 128 characters without "&", "=", "#", spaces or control characters.',
      );

interface ConditionField {
  /** Form of the target; absent if the field takes no target. */
  readonly target?: TextFormat;
  /** The operators that the field supports (plain or negated), each with the form of its value. */
  readonly values: Readonly<Partial<Record<BaseOperator, TextFormat>>>;
}

const { whole, part } = valueLimits;
const anyPart = freeText({ min: 1, max: part });

const { lines, linesAndCommas } = listSeparators;
// Upper bounds for everybody; the limits in force are checked where rules are written.
const maxEntries = usageLimits.values.ceiling;
const maxIpEntries = usageLimits.addresses.ceiling;

const freeLines = (entry: TextFormat) => list(entry, { separator: lines, max: maxEntries });
const names = (entry: TextFormat) => list(entry, { separator: linesAndCommas, max: maxEntries });

const patterns = { matches: pattern, matches_ci: pattern } as const;
const parts = (form: TextFormat) => ({ contains: form, starts_with: form, ends_with: form });
const choice = (form: TextFormat) => ({ equals: form, in: names(form) });

const free = {
  equals: freeText({ min: 0, max: whole }),
  ...parts(anyPart),
  ...patterns,
  in: freeLines(anyPart),
} as const;
/** For fields that a request may lack. */
const presence = { exists: noValue } as const;

/** The target, operators and values of each field. */
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
  queryParam: { target: queryParameterTarget, values: { ...free, ...presence } },
  header: { target: headerTarget, values: { ...free, ...presence } },
  cookie: { target: cookieTarget, values: { ...free, ...presence } },
  method: { values: choice(method) },
  host: { values: { ...choice(host), ...parts(hostPart), ...patterns } },
  scheme: { values: choice(scheme) },
  ip: { values: { equals: ipAddress, in: list(ipRange, { separator: linesAndCommas, max: maxIpEntries }) } },
  country: { values: choice(country) },
  asn: { values: { ...choice(asn), ...presence } },
  userAgent: { values: { ...free, ...presence } },
  referer: { values: { ...free, ...presence } },
  acceptLanguage: { values: { ...free, ...presence } },
  contentType: { values: { ...choice(contentType), ...parts(contentTypePart), ...presence } },
  extension: { values: { ...choice(extension), ...presence } },
  status: { values: choice(status) },
};

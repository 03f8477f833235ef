import { type BaseOperator, type FieldName, listSeparators } from '@zonewright/engine';
import { usageLimits } from '../usage-limits/usage-limits.ts';
import { freeText, list, noValue, pattern, type TextFormat, valueLimits } from './formats.ts';
import {
  asn,
  contentType,
  contentTypePart,
  cookieTarget,
  country,
  extension,
  headerTarget,
  host,
  hostPart,
  ipAddress,
  ipRange,
  method,
  path,
  queryParameterTarget,
  scheme,
  status,
  url,
} from './values.ts';

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

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { originNetworksIn, Retention } from '@zonewright/core';
import { z } from 'zod';

/** A budget of `points` per window of `seconds`. */
export interface RateLimit {
  readonly points: number;
  readonly seconds: number;
}

/** A sender in the format of mail libraries, so that headers are never assembled from text. */
export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/**
 * A schema for the text of a variable: `read` returns undefined for invalid values. `problem` must describe all
 * requirements, so that it applies to every rejected value.
 */
const text = <T>(problem: string, read: (value: string) => T | undefined, { maxLength = 10_000 } = {}) =>
  z.string().transform((value, context) => {
    const isTooLong = value.length > maxLength;
    const result = isTooLong ? undefined : read(value);
    if (result !== undefined) return result;
    const message = isTooLong ? `is longer than ${maxLength} characters` : problem;
    context.addIssue({ code: 'custom', message, input: value });
    return z.NEVER;
  });

const url = (value: string): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined);

const portIn = (value: string): number | undefined =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined;

/** 0 means any free port. */
export const port = text('is not a port (1..65535, or 0 for any free one)', portIn);

/** A port, or none. */
export const portOrOff = text('is neither a port (1..65535) nor off', (value) =>
  value === 'off' ? value : portIn(value) || undefined,
);

/** A host name or address to listen on, without a port. */
export const host = text('is not a host name or address', (value) =>
  isIP(value) > 0 || /^[A-Za-z0-9._-]{1,253}$/.test(value) ? value : undefined,
);

const isWeb = ({ protocol, username, password }: URL): boolean =>
  (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';

/** Host names and addresses, as in URLs, whose traffic never leaves the machine. */
const isLoopback = (hostname: string): boolean =>
  ['localhost', '[::1]', '::1'].includes(hostname) || (isIP(hostname) === 4 && hostname.startsWith('127.'));

/** Whether traffic to a web address is protected in transit: it uses HTTPS or never leaves the machine. */
export const isPrivateLink = (value: string): boolean => {
  const parsed = url(value);
  return parsed !== undefined && (parsed.protocol === 'https:' || isLoopback(parsed.hostname));
};

/** Whether traffic to the database is protected in transit: it uses TLS or never leaves the machine. */
export function isPrivateDatabase(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host.startsWith('/') || isLoopback(host)) return true;
  const mode = searchParams.get('sslmode');
  return mode === null ? searchParams.get('ssl') === 'true' : ['require', 'verify-ca', 'verify-full'].includes(mode);
}

/** The base of all absolute URLs, without a trailing slash. Bounded, because every response has it in a header. */
export const baseUrl = text(
  'is not an http or https URL without user, query or fragment',
  (value) => {
    const parsed = url(value);
    return parsed && isWeb(parsed) && !/[?#]/.test(value) ? withoutSlash(parsed.href) : undefined;
  },
  { maxLength: 500 },
);

const withoutSlash = (value: string): string => (value.endsWith('/') ? withoutSlash(value.slice(0, -1)) : value);

/** A page for people; tokens go into its fragment. */
export const pageUrl = text('is not an http or https URL without user or fragment', (value) => {
  const parsed = url(value);
  return parsed && isWeb(parsed) && !value.includes('#') ? parsed.href : undefined;
});

/** Helps operators whose password contains a percent sign. */
const percent = 'and percent-encoded special characters';

/** A PostgreSQL connection string with percent-encoded credentials. */
export const databaseUrl = text(
  `is not a postgres:// URL with a host ${percent} (postgres://user:password@host:5432/database)`,
  (value) => {
    const parsed = url(value);
    if (!parsed || !['postgres:', 'postgresql:'].includes(parsed.protocol)) return undefined;
    const isReachable = parsed.hostname !== '' || parsed.searchParams.has('host');
    return isReachable && [parsed.username, parsed.password, parsed.pathname].every(isDecodable) ? value : undefined;
  },
);

/** An SMTP URL with percent-encoded credentials. */
export const smtpUrl = text(
  `is not an smtp:// or smtps:// URL with a host ${percent} (smtps://user:password@host:465)`,
  (value) => {
    const parsed = url(value);
    if (!parsed || !['smtp:', 'smtps:'].includes(parsed.protocol)) return undefined;
    return parsed.hostname !== '' && [parsed.username, parsed.password].every(isDecodable) ? value : undefined;
  },
);

function isDecodable(component: string): boolean {
  try {
    decodeURIComponent(component);
    return true;
  } catch {
    return false;
  }
}

const sender =
  'an e-mail address, optionally preceded by a name of at most 100 characters without quotation marks or backslashes (zones@example.com or Zones <zones@example.com>)';

/** `address` or `Name <address>`. */
export const mailSender = text(`is not ${sender}`, (value) => {
  const opening = value.length > 400 ? -1 : value.indexOf('<');
  if (opening === -1) return isAddress(value) ? { name: '', address: value } : undefined;
  const [name, address] = [value.slice(0, opening).trim(), value.slice(opening + 1, -1)];
  return value.endsWith('>') && isAddress(address) && /^[^\p{Cc}<>"\\]{0,100}$/u.test(name)
    ? { name, address }
    : undefined;
});

const isAddress = (value: string): boolean =>
  value.length <= 254 && /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}$/.test(value);

/** A comma-separated list; blanks around entries are ignored. */
const list = <T>(problem: string, read: (entry: string) => T | undefined) =>
  text(problem, (value) => {
    const entries = value.split(',').map((entry) => read(entry.trim()));
    return entries.every((entry) => entry !== undefined) ? entries : undefined;
  });

/** Addresses or networks in CIDR notation, e.g. `10.0.0.0/8, ::1`. */
export const networks = list('is not a list of addresses or CIDR networks (10.0.0.0/8, ::1)', (entry) =>
  isNetwork(entry) ? entry : undefined,
);

/** Networks in which origin servers may lie although they are not public. */
export const originNetworks = text(
  'is neither off nor a list of addresses or CIDR networks (10.0.0.0/8, ::1)',
  (value) => (value === 'off' ? [] : originNetworksIn(value)),
);

/** Addresses of name servers, each optionally with a port. */
export const dnsServers = list(
  'is not a list of addresses, with or without a port (192.0.2.53, [2001:db8::53]:5353)',
  (entry) => {
    const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([0-9.]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
    const family = isIP(bracketed ?? plain ?? entry);
    const isAddress = bracketed === undefined ? family > 0 : family === 6;
    return isAddress && !entry.includes('%') && Number(port) >= 1 && Number(port) <= 65_535 ? entry : undefined;
  },
);

/** Seconds, up to a day. */
export const soakSeconds = text('is not a number of seconds from 0 to 86400', (value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 86_400 ? Number(value) : undefined,
);

function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** Origins as browsers send them: scheme, host and any non-default port. */
export const origins = list('is not a list of origins (https://app.example.com)', (entry) => {
  const parsed = url(entry);
  return parsed && isWeb(parsed) && parsed.origin === entry ? entry : undefined;
});

/** Contacts for security.txt (RFC 9116 section 2.5.3). */
export const contacts = list(
  'is not a list of contacts (mailto:security@example.com, https://example.com/report)',
  (entry) =>
    /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[0-9-]+)$/.test(entry) && URL.canParse(entry) ? entry : undefined,
);

const limit = 'a rate limit (points/seconds, e.g. 30/3600; at most 999999999 points and 2592000 seconds, i.e. 30 days)';

/** `points/seconds`, each at least 1; a window is at most 30 days. */
export const rateLimit = text(`is not ${limit}`, (value): RateLimit | undefined => {
  const [, points, seconds] = /^(\d{1,9})\/(\d{1,7})$/.exec(value) ?? [];
  const limit = { points: Number(points), seconds: Number(seconds) };
  return limit.points >= 1 && limit.seconds >= 1 && limit.seconds <= 2_592_000 ? limit : undefined;
});

/** A positive factor, such as 0.5 to halve every budget. */
export const scale = text(
  'is not a decimal number above 0 and below 1000000 with at most six decimal places',
  (value) => (/^\d{1,6}(\.\d{1,6})?$/.test(value) && Number(value) > 0 ? Number(value) : undefined),
);

/** A number of connections; at least two, because a unit of work may hold one while the same request needs another. */
export const connections = text('is not a whole number from 2 to 1000', (value) =>
  /^\d{1,4}$/.test(value) && Number(value) >= 2 && Number(value) <= 1000 ? Number(value) : undefined,
);

/** A number of processes; `auto`: one per core. */
export const processes = text('is neither a whole number from 1 to 256 nor auto', (value) => {
  if (value === 'auto') return availableParallelism();
  return /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 256 ? Number(value) : undefined;
});

/** A limit on how many of something may exist. */
export const count = (ceiling: number) =>
  text(`is not a whole number from 0 to ${ceiling}`, (value) =>
    /^\d{1,9}$/.test(value) && Number(value) <= ceiling ? Number(value) : undefined,
  );

/** One of several words. */
export const choice = <const W extends string>(...words: readonly W[]) =>
  text(`is not one of ${words.join(', ')}`, (value) => words.find((word) => word === value));

/** An absolute path, or one relative to the working directory. */
export const path = text('is not a path', (value) => (value.includes('\0') ? undefined : value));

/** A number of days, or forever. */
export const retention = text('is neither a whole number of days from 1 to 36500 nor "forever"', (value) =>
  value === 'forever' ? value : /^\d{1,5}$/.test(value) ? Retention.safeParse(Number(value)).data : undefined,
);

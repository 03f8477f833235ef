import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';

/** A schema for the text of a variable; `problem` describes all requirements, so that it applies to every other text. */
const text = <T>(problem: string, read: (value: string) => T | undefined) =>
  z.string().transform((value, context) => {
    const result = value.length > 10_000 ? undefined : read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: problem, input: value });
    return z.NEVER;
  });

const wholeNumber = (value: string, min: number, max: number): number | undefined =>
  /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined;

/** 0 means any free port. */
export const port = text('is not a port (1..65535, or 0 for any free one)', (value) => wholeNumber(value, 0, 65_535));

/** A host name or address to listen on, without a port. */
export const host = text('is not a host name or address', (value) =>
  isIP(value) > 0 || /^[A-Za-z0-9._-]{1,253}$/.test(value) ? value : undefined,
);

/** The address of the service, without a trailing slash. */
export const serviceUrl = text('is not an http or https URL without user, query or fragment', (value) => {
  if (!URL.canParse(value) || /[?#]/.test(value)) return undefined;
  const { protocol, username, password, href } = new URL(value);
  const isWeb = (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
  return isWeb ? href.replace(/\/{1,100}$/, '') : undefined;
});

/** What the command line of the service printed once. */
export const token = text('is not an enrolment token', (value) =>
  /^[\x21-\x7e]{1,500}$/.test(value) ? value : undefined,
);

/** A comma-separated list of addresses and networks; blanks around entries are ignored. */
const listOfNetworks = (value: string): readonly string[] | undefined => {
  const entries = value.split(',').map((entry) => entry.trim());
  return entries.every(isNetwork) ? entries : undefined;
};

function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return prefix === undefined || wholeNumber(prefix, 0, family === 4 ? 32 : 128) !== undefined;
}

/** Addresses or networks in CIDR notation, such as `10.0.0.0/8, ::1`. */
export const networks = text('is not a list of addresses or CIDR networks (10.0.0.0/8, ::1)', listOfNetworks);

/** The same, or `off` for none. */
export const networksOrOff = text(
  'is neither off nor a list of addresses or CIDR networks (10.0.0.0/8, ::1)',
  (value) => (value === 'off' ? [] : listOfNetworks(value)),
);

/** One of several words. */
export const choice = <const W extends string>(...words: readonly W[]) =>
  text(`is not one of ${words.join(', ')}`, (value) => words.find((word) => word === value));

/** Seconds, or never. */
export const secondsOrNever = text('is neither a whole number of seconds from 1 to 31536000 nor never', (value) =>
  value === 'never' ? value : wholeNumber(value, 1, 31_536_000),
);

/** An absolute path, or one relative to the working directory. */
export const path = text('is not a path', (value) => (value.includes('\0') ? undefined : value));

/** A number of processes; `auto`: one per core. */
export const processes = text('is neither a whole number from 1 to 256 nor auto', (value) =>
  value === 'auto' ? availableParallelism() : wholeNumber(value, 1, 256),
);

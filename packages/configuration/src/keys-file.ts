import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import type { ConfigError } from './config-error.ts';
import { makeFolder } from './make-folder.ts';
import { attempt, describeName, problemIn, readPrivately, readProblem } from './private-file.ts';

/** The purposes of keys; no key serves two of them. */
export const keyPurposes = [
  'jwt',
  'totp',
  'recovery',
  'outbox',
  'idempotency',
  'limiter',
  'banTokens',
  'flows',
] as const;
export type KeyPurpose = (typeof keyPurposes)[number];
/** The rings of the first version: a file that lacks one of them is not old, but damaged. */
const firstPurposes: readonly KeyPurpose[] = ['jwt', 'totp', 'recovery', 'outbox', 'limiter'];

/** A key and the id by which stored values refer to it. */
export interface NamedKey {
  readonly kid: string;
  /** At least 32 bytes. */
  readonly key: Uint8Array;
}

/** The keys of one purpose: `current` is used for new values, all of `keys` for reading. */
export interface KeyRing {
  /** The kid of one of `keys`. */
  readonly current: string;
  readonly keys: readonly NamedKey[];
}

/** All rings of the service. */
export type Keys = Readonly<Record<KeyPurpose, KeyRing>>;

/** Kids are part of dot-separated values, so they must not contain a dot. */
const Kid = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, 'is not 1..32 characters of A-Z, a-z, 0-9, _ and -');
const Key = z
  .string()
  .max(1_000, 'is longer than 1000 characters')
  .regex(/^[A-Za-z0-9_-]*$/, 'is not base64url')
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  .refine((bytes) => bytes.length >= 32, { message: 'is shorter than 32 bytes', abort: true })
  .refine((bytes) => !isSample(bytes), 'is a sample key, not a random one');
const Ring = z
  .strictObject({
    current: Kid,
    keys: z
      .array(z.strictObject({ kid: Kid, key: Key }))
      .min(1, 'is empty')
      .max(20, 'has more than 20 keys'),
  })
  .refine(({ keys }) => new Set(keys.map(({ kid }) => kid)).size === keys.length, 'has two keys with the same kid')
  .refine(({ current, keys }) => keys.some(({ kid }) => kid === current), 'has no key with the kid given in "current"');
const Rings = z
  .record(z.enum(keyPurposes), Ring)
  .refine((rings) => allDiffer(Object.values(rings)), 'the same key is used twice');

/**
 * Detects sample keys: text, counting sequences, and few distinct values (probability for random bytes below 1 in
 * 10^13).
 */
function isSample(bytes: Uint8Array): boolean {
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  const isCount = new Set(bytes.slice(1).map((byte, index) => byte - (bytes[index] ?? 0))).size === 1;
  return isText || isCount || new Set(bytes).size < 16;
}

function allDiffer(rings: readonly KeyRing[]): boolean {
  const prints = rings.flatMap(({ keys }) => keys.map(({ key }) => createHash('sha256').update(key).digest('hex')));
  return new Set(prints).size === prints.length;
}

/**
 * Reads the key rings. With `createIfMissing`, creates a missing file and adds rings that an older file lacks; a damaged
 * one stays as it is. Errors never contain keys. Processes that start concurrently end up with the same keys.
 */
export function openKeys(path: string, { createIfMissing }: { createIfMissing: boolean }): Result<Keys, ConfigError[]> {
  const errorsOf = errorsIn(path);
  const read = () => readPrivately(path).mapErr((code) => errorsOf(readProblem(code)));
  const first = readPrivately(path);
  if (first.isOk())
    return createIfMissing ? completeFile(path, first.value, errorsOf) : parseKeys(first.value, errorsOf);
  if (first.error !== 'ENOENT' || !createIfMissing) return err(errorsOf(readProblem(first.error)));
  return createFile(path)
    .orElse((code) => (code === 'EEXIST' ? ok() : err(code)))
    .mapErr((code) => errorsOf(`cannot be created (${code})`))
    .andThen(read)
    .andThen((content) => parseKeys(content, errorsOf));
}

/** Creates the file with a random key for each purpose. An error if there is one already. */
export const createKeys = (path: string): Result<void, ConfigError[]> =>
  createFile(path).mapErr((code) =>
    errorsIn(path)(code === 'EEXIST' ? 'exists already' : `cannot be created (${code})`),
  );

const errorsIn =
  (path: string): ErrorsOf =>
  (problem) => [{ variable: 'KEYS_FILE', problem: `${JSON.stringify(path)} ${problem}` }];

/**
 * Writes a temporary file and links it into place: `link` never overwrites, so the first writer wins and readers never
 * see a partial file.
 */
function createFile(path: string): Result<void, string> {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  const written = makeFolder(dirname(path)).andThen(() =>
    attempt(() => {
      writeDurably(draft, textOf(generateKeys()));
      linkSync(draft, path);
    }),
  );
  return attempt(() => rmSync(draft, { force: true })).andThen(() => written);
}

function writeDurably(path: string, content: string, flags: 'w' | 'wx' = 'wx', owner?: Stats): void {
  const file = openSync(path, flags, 0o600);
  try {
    writeFileSync(file, content);
    if (owner !== undefined) giveTo(file, owner);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Root changes what another user reads, such as the service's. */
function giveTo(file: number, { uid, gid, mode }: Stats): void {
  if (process.getuid?.() !== uid) fchownSync(file, uid, gid);
  fchmodSync(file, mode & 0o700);
}

/** A random key for each purpose. */
const generateKeys = (purposes: readonly KeyPurpose[] = keyPurposes): Readonly<Record<string, unknown>> => {
  const ring = (key: NamedKey) => ({ current: key.kid, keys: [writtenKey(key)] });
  return Object.fromEntries(purposes.map((purpose) => [purpose, ring(newKey())]));
};

/** A random key with a random id. */
export const newKey = (): NamedKey => ({ kid: randomBytes(6).toString('hex'), key: new Uint8Array(randomBytes(32)) });

const writtenKey = ({ kid, key }: NamedKey) => ({ kid, key: Buffer.from(key).toString('base64url') });

/** Replaces one ring of the file; the others stay unchanged, even if another process changes them concurrently. */
export function changeRing(
  path: string,
  purpose: KeyPurpose,
  change: (ring: KeyRing) => Result<KeyRing, string>,
): Result<Keys, ConfigError[]> {
  const errorsOf = errorsIn(path);
  return rewriteFile(
    path,
    (text) =>
      parseKeys(text, errorsOf).andThen((keys) =>
        change(keys[purpose])
          .mapErr(errorsOf)
          .map(({ current, keys: changed }) =>
            textOf({ ...JSON.parse(text), [purpose]: { current, keys: changed.map(writtenKey) } }),
          )
          .andThen(complete(errorsOf)),
      ),
    errorsOf,
  );
}

/** Adds a ring that an older file lacks, with a random key; others may still be missing. Resolves to the id of the key. */
export function addRing(path: string, purpose: KeyPurpose): Result<string, ConfigError[]> {
  const errorsOf = errorsIn(path);
  return rewriteFile(
    path,
    (text) =>
      parseKeys(withMissingRings(text), errorsOf).andThen((completed) => {
        if (!missingRings(text).includes(purpose)) return err(errorsOf(`has a key ring "${purpose}" already`));
        const { current, keys } = completed[purpose];
        const added = { [purpose]: { current, keys: keys.map(writtenKey) } };
        return ok({ text: textOf({ ...JSON.parse(text), ...added }), value: current });
      }),
    errorsOf,
  );
}

type ErrorsOf = (problem: string) => ConfigError[];

/** Adds a random key for each purpose that the file lacks, unless the file is damaged or has other errors. */
function completeFile(path: string, content: string, errorsOf: ErrorsOf): Result<Keys, ConfigError[]> {
  const missing = missingRings(content);
  if (missing.length === 0 || isDamaged(missing)) return parseKeys(content, errorsOf);
  return rewriteFile(path, (text) => complete(errorsOf)(withMissingRings(text)), errorsOf);
}

/** The new text of a file with what the writer resolves to, or errors. */
type Rewrite<T> = (text: string) => Result<{ readonly text: string; readonly value: T }, ConfigError[]>;

/** A text that has to be a complete file, with its keys. */
const complete =
  (errorsOf: ErrorsOf): Rewrite<Keys> =>
  (text) =>
    parseKeys(text, errorsOf).map((value) => ({ text, value }));

/** Serializes writers with `<file>.new`, and reads the file again before replacing it. */
function rewriteFile<T>(path: string, rewrite: Rewrite<T>, errorsOf: ErrorsOf): Result<T, ConfigError[]> {
  const draft = `${path}.new`;
  const failed = (code: string) => errorsOf(`cannot be changed: ${JSON.stringify(draft)} cannot be written (${code})`);
  return attempt(() => writeDurably(draft, ''))
    .mapErr(failed)
    .andThen(() =>
      readPrivately(path)
        .mapErr((code) => errorsOf(readProblem(code)))
        .andThen(rewrite)
        .andThen(({ text, value }) =>
          attempt(() => replaceBy(draft, path, text))
            .mapErr(failed)
            .map(() => value),
        )
        .orTee(() => attempt(() => rmSync(draft))),
    );
}

/** The new file has the owner and the mode of the old one. */
function replaceBy(draft: string, path: string, content: string): void {
  writeDurably(draft, content, 'w', statSync(path));
  renameSync(draft, path);
}

const withMissingRings = (content: string): string => {
  const missing = missingRings(content);
  return missing.length === 0 || isDamaged(missing)
    ? content
    : textOf({ ...JSON.parse(content), ...generateKeys(missing) });
};

const textOf = (rings: Readonly<Record<string, unknown>>): string => `${JSON.stringify(rings, null, 2)}\n`;

/** The rings that a JSON object lacks; none if the text is not an object. */
const missingRings = (content: string): readonly KeyPurpose[] =>
  attempt((): unknown => JSON.parse(content))
    .map((json) => z.record(z.string(), z.unknown()).safeParse(json).data)
    .map((rings) => keyPurposes.filter((purpose) => rings !== undefined && !Object.hasOwn(rings, purpose)))
    .unwrapOr([]);

/** New keys in the place of lost ones would make what those protect unreadable for good. */
const isDamaged = (missing: readonly KeyPurpose[]): boolean => missing.some((ring) => firstPurposes.includes(ring));

const damaged = (missing: readonly KeyPurpose[]): string =>
  `is damaged: it has no key ring ${missing.map(describeName).join(', ')}; put back a copy of it`;

function parseKeys(content: string, errorsOf: ErrorsOf): Result<Keys, ConfigError[]> {
  const json = attempt((): unknown => JSON.parse(content));
  if (json.isErr()) return err(errorsOf('is not JSON'));
  const missing = missingRings(content);
  if (isDamaged(missing)) return err(errorsOf(damaged(missing)));
  if (missing.length > 0)
    return err(
      missing.flatMap((ring) => errorsOf(`has no key ring "${ring}": add it with "zonewright keys add ${ring}"`)),
    );
  const parsed = Rings.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  return err(parsed.error.issues.flatMap((issue) => errorsOf(problemIn(issue))));
}

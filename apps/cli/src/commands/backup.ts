import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { version } from '@zonewright/configuration';
import { pendingMigrations } from '@zonewright/postgres';
import { type RowCounts, rowCounts, withSnapshot } from '@zonewright/postgres-operations';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { Deployment } from '../installation.ts';
import { runTool } from '../postgres-tools.ts';
import { writePrivateFile } from '../private-file.ts';
import type { Report } from '../report.ts';
import type { Terminal } from '../terminal.ts';

/** Written next to a dump to verify it on restore. */
interface Manifest {
  readonly createdAt: string;
  /** Of the program that made it; versions before the first release did not write it. */
  readonly version?: string;
  /** Hex digest of the dump. */
  readonly sha256: string;
  /** Rows per table in the dumped snapshot. */
  readonly rows: RowCounts;
}

const manifestOf = (file: string): string => `${file}.json`;

/**
 * Dumps the database in pg_dump's custom format, and counts rows in the same snapshot for the manifest. Reads the dump
 * back to verify that it is complete. Both files are readable only by their owner: the dump contains hashes of
 * passwords and everybody's addresses.
 */
export const backUp = ({ directUrl }: Deployment, file: string, terminal: Terminal): Promise<Report> =>
  writePrivateFile(file, (dump) =>
    writePrivateFile(manifestOf(file), async (manifest) => {
      const progress = terminal.progress('rows counted, dumped, read back', 3);
      const rows = await withSnapshot(directUrl, async (snapshot, counts) => {
        progress.advance();
        await runTool('pg_dump', ['--format=custom', '--no-owner', `--snapshot=${snapshot}`], directUrl, dump.fd);
        return counts;
      });
      progress.advance();
      await runTool('pg_restore', ['--list', file], undefined);
      const facts: Manifest = { createdAt: new Date().toISOString(), version, sha256: await digestOf(file), rows };
      await manifest.writeFile(`${JSON.stringify(facts, null, 2)}\n`);
      progress.advance();
      progress.end();
      const { size } = await dump.stat();
      return {
        json: { file, bytes: size, rows },
        lines: [`Wrote ${file} (${size} bytes) and ${manifestOf(file)}. ${keysReminder}`],
      };
    }),
  );

const keysReminder = 'Keep a copy of the keys file elsewhere: without it, second factors cannot be read.';

/** Restores a dump into an empty database in one transaction, then compares row counts with the manifest. */
export async function restore({ directUrl }: Deployment, file: string, terminal: Terminal): Promise<Report> {
  const manifest = await manifestFor(file);
  if (Object.keys(await rowCounts(directUrl)).length > 0) {
    throw new CommandFailure(['The database is not empty. Restore into a new one and point DATABASE_URL at it.']);
  }
  await terminal.confirm(`Restore the backup of ${manifest.createdAt} into ${nameOf(directUrl)}?`);
  const progress = terminal.progress('restored, rows counted', 2);
  await runTool(
    'pg_restore',
    ['--single-transaction', '--exit-on-error', '--no-owner', ...inDatabase(directUrl), file],
    directUrl,
  );
  progress.advance();
  const differences = differencesBetween(manifest.rows, await rowCounts(directUrl));
  progress.advance();
  progress.end();
  if (differences.length > 0)
    throw new CommandFailure(['The restored database differs from the backup:', ...differences]);
  const pending = await pendingMigrations(directUrl);
  const next = pending.length === 0 ? '' : ` It is from an earlier version: run "zonewright migrate".`;
  const tables = Object.keys(manifest.rows).length;
  return { json: { file, rows: manifest.rows, pending }, lines: [`Restored and verified ${tables} tables.${next}`] };
}

/** Such as `zonewright at db.example.com:5432`; without the password. */
function nameOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${decodeURIComponent(pathname.slice(1))} at ${searchParams.get('host') ?? host}`;
}

const inDatabase = (url: string): readonly string[] => [
  `--dbname=${decodeURIComponent(new URL(url).pathname.slice(1))}`,
];

async function manifestFor(file: string): Promise<Manifest> {
  const text = await readFile(manifestOf(file), 'utf8').catch((error: Error) => {
    throw new CommandFailure([`The manifest of the backup cannot be read: ${error.message}`], exitCodes.misused);
  });
  const manifest = manifestIn(text);
  if (manifest === undefined) throw new CommandFailure([`${manifestOf(file)} is not the manifest of a backup.`]);
  const { version: made = '0.0.0', sha256 } = manifest;
  if (isLater(made, version)) {
    throw new CommandFailure([
      `The backup was made by version ${made}. This is ${version}: restore it with ${made} or later.`,
    ]);
  }
  if ((await digestOf(file)) !== sha256) throw new CommandFailure([`${file} is not the file that was backed up.`]);
  return manifest;
}

/** Compares versions without pre-releases (Semantic Versioning 2.0.0, section 11). */
const isLater = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) > 0;

/** Returns undefined for other texts. */
function manifestIn(text: string): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(text);
    const isManifest = typeof manifest === 'object' && manifest !== null && 'sha256' in manifest && 'rows' in manifest;
    // Written by `backUp`; the digest shows whether it belongs to the dump.
    return isManifest ? (manifest as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

const differencesBetween = (expected: RowCounts, found: RowCounts): readonly string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    .filter((table) => expected[table] !== found[table])
    .map((table) => `${table}: ${found[table] ?? 'no'} rows, ${expected[table] ?? 'no'} in the backup`);

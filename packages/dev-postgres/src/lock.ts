import { execFile } from 'node:child_process';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresFailure } from './binaries.ts';

/** What is known about a process that may own a data directory. */
interface ProcessInfo {
  readonly parent: number;
  readonly command: string;
}

/** Part of the server's command line, which identifies its owner. */
export const ownerMark = (owner: number): string => `cluster_name=zonewright-${owner}`;

/** The error for a DATA_DIR that is in use. */
export const inUse = (folder: string): EmbeddedPostgresFailure =>
  new EmbeddedPostgresFailure(
    `another zonewright is running on this DATA_DIR (${join(folder, '..', '..')}); stop it, or start this one with others: DATA_DIR=.data2 PORT=3001`,
  );

/**
 * Makes sure that nothing serves `folder`: stops a server whose owner is gone, fails if the owner is alive, and disarms
 * a lock file left by a crash whose process id has been reused.
 */
export async function claimFolder(folder: string): Promise<void> {
  const lock = await readLock(folder);
  if (lock === undefined) return;
  const holder = await inspect(lock.pid);
  if (holder === undefined) return;
  if (!serves(holder, folder)) return disarmLock(folder, lock.content);
  if (!isOrphan(holder)) throw inUse(folder);
  await stopOrphan(lock.pid, folder);
}

/** The port on which a living owner serves the folder; undefined: none. */
export async function servedPort(folder: string): Promise<number | undefined> {
  const lock = await readLock(folder);
  const holder = lock && (await inspect(lock.pid));
  if (lock === undefined || holder === undefined || !serves(holder, folder) || isOrphan(holder)) return undefined;
  // The fourth line of the server's lock file.
  const port = Number(lock.content.split('\n')[3]);
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

interface Lock {
  readonly pid: number;
  readonly content: string;
}

async function readLock(folder: string): Promise<Lock | undefined> {
  const content = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  return Number.isInteger(pid) && pid > 0 ? { pid, content } : undefined;
}

const serves = ({ command }: ProcessInfo, folder: string): boolean =>
  /(^|\/)postgres(\.exe)? /.test(command) && `${command} `.includes(` -D ${folder} `);

/** The server is a direct child of its owner; once the owner has exited, it is reparented. */
function isOrphan({ command, parent }: ProcessInfo): boolean {
  const owner = / cluster_name=zonewright-(\d{1,10})/.exec(command)?.[1];
  return owner !== undefined && Number(owner) !== parent;
}

/** From /proc on Linux, from ps on other systems. A zombie has no command. */
async function inspect(pid: number): Promise<ProcessInfo | undefined> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(parent), command: command.replaceAll('\0', ' ') };
  } catch {
    return process.platform === 'linux' ? undefined : inspectWithPs(pid);
  }
}

async function inspectWithPs(pid: number): Promise<ProcessInfo | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)]);
    const parent = Number.parseInt(stdout, 10);
    return { parent, command: stdout.trim().replace(/^\d+\s+/, '') };
  } catch {
    return undefined;
  }
}

/** A fast shutdown first (even if the watcher has already asked for one), an immediate one after ten seconds. */
async function stopOrphan(pid: number, folder: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    trySignal(pid, signal);
    for (const end = performance.now() + 10_000; performance.now() < end; await delay(25)) {
      const left = await inspect(pid);
      if (left === undefined || !serves(left, folder)) return;
    }
  }
  throw new EmbeddedPostgresFailure(`a PostgreSQL left over on this DATA_DIR (process ${pid}) does not stop`);
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone, or another user's; the wait below tells which.
  }
}

/**
 * The server takes any living process of the same user named in its lock file for a running server, except its own
 * parent, which it takes for a leftover. So we replace the process id by ours and keep the rest, which lets the server
 * find shared memory in use. The file is moved aside before it is examined: a server that has started meanwhile gets
 * its own file back.
 */
async function disarmLock(folder: string, seen: string): Promise<void> {
  const lock = join(folder, 'postmaster.pid');
  const aside = join(folder, `postmaster.pid.${process.pid}`);
  await rename(lock, aside);
  const moved = await readFile(aside, 'utf8');
  if (moved === seen) await writeFile(aside, moved.replace(/^\d+/, String(process.pid)));
  await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
  if (moved !== seen) throw inUse(folder);
}

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { exchange } from './load.ts';

/** The environment of both servers. */
export interface Environment {
  readonly databaseUrl: string;
  /** Removed at the end. */
  readonly folder: string;
  readonly floorKey: string;
  readonly organizations: readonly number[];
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Encrypts ban tokens that were added in plain text, which the service would do beside the first measurements. */
export const encryptBanTokens = ({ databaseUrl, folder }: Pick<Environment, 'databaseUrl' | 'folder'>) =>
  promisify(execFile)(process.execPath, [file('../../api/dist/zonewright.mjs'), 'keys', 'reseal'], {
    env: { DATABASE_URL: databaseUrl, DATA_DIR: folder },
  });

/** The service as run by `pnpm start`, with unreachable limits; its log goes to a file. */
export async function startService({ databaseUrl, folder }: Environment): Promise<Running> {
  return start(file('../../api/dist/main.js'), join(folder, 'service.log'), {
    HOST: '127.0.0.1',
    // Part of every token, so it must not vary between starts.
    PUBLIC_BASE_URL: 'http://localhost',
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    RATE_LIMIT_SCALE: '100000',
  });
}

/** The floor: the same answers from the same database with as little code as possible. */
export async function startFloor({ databaseUrl, folder, floorKey, organizations }: Environment): Promise<Running> {
  return start(file('floor-server.js'), join(folder, 'floor.log'), {
    DATABASE_URL: databaseUrl,
    FLOOR_KEY: floorKey,
    FLOOR_ORGANIZATIONS: organizations.join(','),
  });
}

/** An origin, a proxy that only passes requests on to it, and an edge in front of it. */
export async function startEdgeParts({ folder }: Pick<Environment, 'folder'>) {
  const part = (script: string, env: NodeJS.ProcessEnv = {}) => start(file(script), join(folder, `${script}.log`), env);
  const origin = await part('edge-origin.js');
  const ORIGIN_PORT = String(origin.port);
  const floor = await part('edge-floor.js', { ORIGIN_PORT });
  return { origin, floor, edge: await part('edge-server.js', { ORIGIN_PORT }) };
}

/** Running processes, to be killed when a measurement fails. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill();
});

async function start(script: string, log: string, env: NodeJS.ProcessEnv) {
  const port = await getPort({ host: '127.0.0.1' });
  const output = openSync(log, 'a');
  const began = performance.now();
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  children.add(child.once('exit', () => children.delete(child)));
  await ready(child, port, log);
  const startMilliseconds = performance.now() - began;
  return {
    port,
    /** From process start to the first successful readiness probe. */
    startMilliseconds,
    /** Its processor time in microseconds. */
    cpu: async () => (await statOf(child.pid ?? 0))?.microseconds ?? Number.NaN,
    /** Resident memory in megabytes; undefined if the system does not report it. */
    memory: () => memoryOf(child),
    stop: () => stop(child),
  };
}

/** A server in its own process. */
export type Running = Awaited<ReturnType<typeof start>>;

async function ready(child: ChildProcess, port: number, log: string): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (child.exitCode === null && performance.now() < giveUpAt) {
    const isReady = await exchange(port, { method: 'GET', path: '/readyz', headers: {} }).then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await pause(5);
  }
  throw new Error(`A server did not start; see ${log}: ${await readFile(log, 'utf8')}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await gone;
}

async function memoryOf({ pid }: ChildProcess): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** The parent of a process; NaN if the system does not report it. */
export const parentOf = async (pid: number): Promise<number> => (await statOf(pid))?.parent ?? Number.NaN;

/** Processor time in microseconds of all children of a process, including those that have ended. */
export async function cpuOfChildren(parent: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const ended = (await statOf(parent))?.ofEndedChildren ?? Number.NaN;
  const children = (await Promise.all(pids.map(statOf))).filter((stat) => stat?.parent === parent);
  return children.reduce((sum, stat) => sum + (stat?.microseconds ?? 0), ended);
}

/** Clock ticks are hundredths of a second on Linux (proc(5), `/proc/pid/stat`, fields 4 and 14 to 17). */
async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (text === '') return undefined;
  const microseconds = (...places: readonly number[]) =>
    places.reduce((sum, place) => sum + Number(fields[place]) * 10_000, 0);
  return { parent: Number(fields[1]), microseconds: microseconds(11, 12), ofEndedChildren: microseconds(13, 14) };
}

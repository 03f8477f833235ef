import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import { commandLine, EmbeddedPostgresFailure } from './binaries.ts';
import { type Cluster, openCluster, removeDrafts, role, serverEnvironment } from './cluster.ts';
import { claimFolder, inUse, ownerMark, servedPort } from './lock.ts';

export { EmbeddedPostgresFailure } from './binaries.ts';

/** A database server with the lifetime of this process. */
export interface EmbeddedPostgres {
  /** `postgres://` URL with the password; the port differs after every start. */
  readonly url: string;
  /** Stops the server, cutting open connections, and resolves when its process is gone. Idempotent. */
  stop(): Promise<void>;
}

/** Where the cluster is, and who receives the server's messages (never statements or values). */
export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log?: (line: string) => void;
}

type Settings = Readonly<Record<string, string>>;

/** A small server on the loopback interface, whose log must not contain user data. */
const settings: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  logging_collector: 'off',
  log_checkpoints: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** For data that may be lost in a crash. */
const nonDurableSettings: Settings = {
  ...settings,
  max_connections: '300',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Background processes would only take time: tests that need statistics gather them themselves.
  autovacuum: 'off',
  io_method: 'sync',
};

/**
 * Serves the cluster in `<dataDir>/postgres` on a free loopback port, creating it if it does not exist. Rejects with an
 * `EmbeddedPostgresFailure`. The server has its own session, so Ctrl-C reaches only this process, which stops the
 * server last. If this process is killed, a watcher asks the server to shut down; if that fails, too, the next start
 * stops the leftover server.
 */
export async function startEmbeddedPostgres({ dataDir, log }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, false);
  await claimFolder(cluster.folder);
  const server = await serve(cluster, settings, log ?? (() => undefined), '');
  await removeDrafts(cluster);
  return server;
}

/** The URL of a server that another process runs on the folder; undefined: there is none. */
export async function servedUrl(dataDir: string): Promise<string | undefined> {
  const home = join(await realpath(dataDir).catch(() => dataDir), 'postgres');
  const port = await servedPort(join(home, 'cluster'));
  if (port === undefined) return undefined;
  const password = (await readFile(join(home, 'password'), 'utf8')).trim();
  return urlOf(password, port);
}

const urlOf = (password: string, port: number): string => `postgres://${role}:${password}@127.0.0.1:${port}/postgres`;

/**
 * A server for tests: empty, without durability, and removed with its folder by `stop` or when this process ends, which
 * it does not keep running.
 */
export async function startTemporaryPostgres(): Promise<EmbeddedPostgres> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'zonewright-')));
  await chmod(dataDir, 0o711);
  const remove = () => removeFolder(dataDir);
  try {
    const server = await serve(await openCluster(dataDir, true), nonDurableSettings, () => undefined, dataDir);
    return { url: server.url, stop: () => server.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** By the system's program where there is one: a server of tests leaves tens of thousands of files, each a promise here. */
async function removeFolder(folder: string): Promise<void> {
  if (process.platform !== 'win32') await once(spawn('rm', ['-rf', '--', folder], { stdio: 'ignore' }), 'close');
  await rm(folder, { recursive: true, force: true });
}

type Log = (line: string) => void;

/** Retries if the port was taken in the meantime, or if processes of a crashed server are still exiting. */
async function serve(cluster: Cluster, using: Settings, log: Log, disposable: string): Promise<EmbeddedPostgres> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await getPort({ host: '127.0.0.1' });
    const server = launch(cluster, { ...using, port: String(port) });
    const watcher = watch(server, cluster, disposable);
    const startupError = await ready(server, log);
    if (startupError === undefined) {
      if (disposable !== '') endWithProcess(server, watcher);
      return { url: urlOf(cluster.password, port), stop: () => stop(server, watcher) };
    }
    watcher?.kill('SIGKILL');
    if (/lock file .* already exists/.test(startupError)) throw inUse(cluster.folder);
    const passes = /could not create any TCP|shared memory block/.test(startupError);
    if (!passes || attempt === 20) throw new EmbeddedPostgresFailure(`PostgreSQL does not start: ${startupError}`);
    await delay(250);
  }
}

/** Lets this process end while the server runs, which the watcher then stops. */
function endWithProcess(server: ChildProcess, watcher: ChildProcess | undefined): void {
  waitFor(server, false);
  if (watcher === undefined) process.once('exit', () => server.kill());
}

/** Whether this process waits for the server before it ends. */
function waitFor(server: ChildProcess, waits: boolean): void {
  // A pipe from a child process is a socket.
  const handles = [server, server.stderr as Socket | null];
  for (const handle of handles) {
    if (waits) handle?.ref();
    else handle?.unref();
  }
}

function launch({ folder, binaries, launcher }: Cluster, using: Settings): ChildProcess {
  const flags = Object.entries(using).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const owner = ['-c', ownerMark(process.pid)];
  const [program, ...args] = commandLine(launcher, binaries.postgres, ['-D', folder, ...owner, ...flags]);
  return spawn(program, args, {
    ...launcher.as,
    cwd: folder,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Resolves to undefined once connections are accepted, or to the reason why they never will be. */
function ready(server: ChildProcess, log: Log): Promise<string | undefined> {
  return new Promise((resolve) => {
    let startupError = '';
    server.on('error', (error) => resolve(error.message));
    server.on('close', (code, signal) => resolve(startupError || `it ended with ${signal ?? `code ${code}`}`));
    if (server.stderr === null) return;
    createInterface({ input: server.stderr }).on('line', (line) => {
      log(line);
      startupError ||= /(?:FATAL|PANIC): {2}(.*)$/.exec(line)?.[1] ?? '';
      if (line.includes('database system is ready to accept connections')) resolve(undefined);
    });
  });
}

/**
 * Outlives this process, even after `kill -9`, just long enough to ask the server for a fast shutdown and to remove a
 * temporary server's folder: the pipe closes, and `read` returns. That folder belongs to our own user. Windows has no
 * shell for this; there, the next start recovers.
 */
function watch(server: ChildProcess, { folder, launcher }: Cluster, disposable: string): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const script = `read -r _
    read -r pid < postmaster.pid && [ "$pid" = "$0" ] && kill -INT "$pid"
    [ -z "$1" ] && exit
    while kill -0 "$0" && [ -e postmaster.pid ]; do sleep 0.1; done
    rm -rf -- "$1"`;
  const runner = disposable === '' ? launcher : { prefix: [], as: undefined };
  const [program, ...args] = commandLine(runner, 'sh', ['-c', script, String(server.pid), disposable]);
  const watcher = spawn(program, args, {
    ...runner.as,
    cwd: folder,
    env: serverEnvironment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Everything else works without a watcher.
  watcher.on('error', () => undefined);
  // Later, another process may have the server's id.
  server.once('exit', () => watcher.kill('SIGKILL'));
  watcher.unref();
  return watcher;
}

/** A fast shutdown, which cuts connections and writes everything to disk; escalates if the server hangs. */
async function stop(server: ChildProcess, watcher: ChildProcess | undefined): Promise<void> {
  watcher?.kill('SIGKILL');
  waitFor(server, true);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => server.once('close', () => resolve()));
    server.kill(signal);
    await Promise.race([gone, delay(8_000, undefined, { ref: false })]);
  }
}

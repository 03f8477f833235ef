import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import { type Cluster, openCluster, role, serverEnvironment } from './cluster.ts';
import { isReady, removeStaleLock, servedPort } from './lock.ts';
import { EmbeddedPostgresFailure } from './programs.ts';

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
 * server last. If this process is killed, a watcher stops the server.
 */
export const startEmbeddedPostgres = async ({ dataDir, log = () => {} }: EmbeddedPostgresOptions) =>
  serve(await openCluster(dataDir, false), settings, log, '');

/** The URL of a server that another process runs on the folder; undefined: there is none. */
export async function servedUrl(dataDir: string): Promise<string | undefined> {
  const home = join(await realpath(dataDir).catch(() => dataDir), 'postgres');
  const port = await servedPort(join(home, 'cluster'));
  return port === undefined ? undefined : urlOf(await readFile(join(home, 'password'), 'utf8'), port);
}

const urlOf = (password: string, port: number): string => `postgres://${role}:${password}@127.0.0.1:${port}/postgres`;

/**
 * A server for tests: empty, without durability, and removed with its folder by `stop` or when this process ends, which
 * it does not keep running.
 */
export async function startTemporaryPostgres(): Promise<EmbeddedPostgres> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'zonewright-')));
  await chmod(dataDir, 0o711);
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await serve(await openCluster(dataDir, true), nonDurableSettings, () => {}, dataDir);
    return { url: server.url, stop: () => server.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** What passes: a port that was taken in the meantime, and a server that has lost its process, but not shut down yet. */
const passing = /could not create any TCP|shared memory block|lock file .* already exists/;
const retryMilliseconds = { otherwise: 20_000, whileReady: 2000 } as const;

/** Tries again while what failed may pass. `disposable` is the folder of a temporary server. */
async function serve(
  cluster: Cluster,
  using: Settings,
  log: (line: string) => void,
  disposable: string,
): Promise<EmbeddedPostgres> {
  for (const began = performance.now(); ; ) {
    await removeStaleLock(cluster.folder);
    const port = await getPort({ host: '127.0.0.1' });
    const server = launch(cluster, { ...using, port: String(port) });
    const watcher = watch(server, cluster, disposable);
    const failure = await ready(server, log);
    if (failure === undefined) {
      if (disposable !== '') waitFor(server, false);
      return { url: urlOf(cluster.password, port), stop: () => stop(server, watcher) };
    }
    watcher.kill('SIGKILL');
    const elapsed = performance.now() - began;
    const limit = (await isReady(cluster.folder)) ? retryMilliseconds.whileReady : retryMilliseconds.otherwise;
    if (!passing.test(failure) || elapsed > limit) throw new EmbeddedPostgresFailure(explained(failure, cluster));
    await delay(250);
  }
}

const explained = (failure: string, { folder }: Cluster): string =>
  failure.includes('lock file')
    ? `another zonewright is running on this DATA_DIR (${join(folder, '../..')}); stop it, or start this one with others: DATA_DIR=.data2 PORT=3001`
    : `PostgreSQL does not start: ${failure}`;

/** Whether this process waits for the server before it ends. */
function waitFor(server: ChildProcess, waits: boolean): void {
  // A pipe from a child process is a socket.
  for (const handle of [server, server.stderr as Socket | null]) {
    if (waits) handle?.ref();
    else handle?.unref();
  }
}

function launch({ folder, server }: Cluster, using: Settings): ChildProcess {
  const flags = Object.entries(using).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { line, as } = server(['-D', folder, ...flags]);
  const [program, ...args] = line;
  const options = { ...as, cwd: folder, env: serverEnvironment(), detached: true } as const;
  return spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Resolves to undefined once connections are accepted, or to the reason why they never will be. */
function ready(server: ChildProcess, log: (line: string) => void): Promise<string | undefined> {
  return new Promise((resolve) => {
    let failure = '';
    server.on('error', (error) => resolve(error.message));
    server.on('close', (code, signal) => resolve(failure || `it ended with ${signal ?? `code ${code}`}`));
    if (server.stderr === null) return;
    createInterface({ input: server.stderr }).on('line', (line) => {
      log(line);
      failure ||= /(?:FATAL|PANIC): {2}(.*)$/.exec(line)?.[1] ?? '';
      if (line.includes('database system is ready to accept connections')) resolve(undefined);
    });
  });
}

/**
 * Outlives this process, even after `kill -9`, just long enough to ask the server for a fast shutdown and to remove a
 * temporary server's folder: the pipe closes, and `read` returns. Where there is no shell, the next start recovers.
 */
function watch(server: ChildProcess, { folder }: Cluster, disposable: string): ChildProcess {
  const script = `read -r _
    kill -INT "$0" || exit
    [ -z "$1" ] && exit
    while kill -0 "$0" && [ -e postmaster.pid ]; do sleep 0.1; done
    rm -rf -- "$1"`;
  const options = { cwd: folder, env: serverEnvironment(), detached: true } as const;
  const watcher = spawn('sh', ['-c', script, String(server.pid), disposable], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => undefined);
  // Later, another process may have the server's id.
  server.once('exit', () => watcher.kill('SIGKILL'));
  watcher.unref();
  return watcher;
}

/** A fast shutdown, which cuts connections and writes everything to disk; escalates if the server hangs. */
async function stop(server: ChildProcess, watcher: ChildProcess): Promise<void> {
  watcher.kill('SIGKILL');
  waitFor(server, true);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => server.once('close', () => resolve()));
    server.kill(signal);
    await Promise.race([gone, delay(8_000, undefined, { ref: false })]);
  }
}

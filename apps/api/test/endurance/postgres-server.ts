import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { until } from '../faults/support/until.ts';

/** The newest PostgreSQL version installed by Debian. */
const [version = '15'] = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a));
const program = (name: string): string => `/usr/lib/postgresql/${version}/bin/${name}`;
const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']));

/** Similar to production, but with little space, so that the disk fills quickly. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  max_wal_size: '32MB',
  min_wal_size: '16MB',
  wal_keep_size: '16MB',
};

/** A Debian PostgreSQL server that can be stopped, killed, frozen and replicated. */
export class PostgresServer {
  readonly url: string;
  readonly #folder: string;
  readonly #port: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: string) {
    this.#folder = folder;
    this.#port = port;
    this.url = `postgres://zonewright@127.0.0.1:${port}/postgres`;
  }

  /** Initializes a new cluster in the existing folder, without starting the server. */
  static async create(folder: string): Promise<PostgresServer> {
    own(folder);
    run('initdb', ['-D', join(folder, 'data'), '-U', 'zonewright', '--auth=trust', '-E', 'UTF8', '--wal-segsize=1']);
    return new PostgresServer(join(folder, 'data'), String(await getPort({ host: '127.0.0.1' })));
  }

  /** Starts a synchronous standby of this server: commits wait for it from now on. */
  async standby(folder: string): Promise<PostgresServer> {
    mkdirSync(folder);
    own(folder);
    const copy = join(folder, 'data');
    run('pg_basebackup', ['-D', copy, '-R', '-c', 'fast', ...this.#connection]);
    const standby = new PostgresServer(copy, String(await getPort({ host: '127.0.0.1' })));
    await standby.start();
    this.ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
    this.ask('SELECT pg_reload_conf()');
    await until(() => this.ask('SELECT sync_state FROM pg_stat_replication') === 'sync');
    return standby;
  }

  /** Resolves when connections are accepted. Also restarts a server that has exited. */
  async start(): Promise<void> {
    await until(async () => {
      if (!this.isRunning) this.#process = this.#launch();
      return spawnSync(program('pg_isready'), this.#connection.slice(0, 4)).status === 0;
    });
  }

  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Cuts every connection and shuts down cleanly. */
  stop(): Promise<void> {
    return this.#end('SIGINT');
  }

  /** `kill -9`; the next start recovers. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Freezes all its processes: connections stay open without responses until it is thawed. */
  freeze(): void {
    this.#signalAll('SIGSTOP');
  }

  thaw(): void {
    this.#signalAll('SIGCONT');
  }

  /** Promotes a standby to primary. */
  async promote(): Promise<void> {
    this.ask('SELECT pg_promote()');
    await until(() => this.ask('SELECT pg_is_in_recovery()') === 'f');
  }

  /** The single value a statement returns, as text. */
  ask(statement: string): string {
    const psql = spawnSync(program('psql'), ['-XAtq', ...this.#connection, '-d', 'postgres', '-c', statement], {
      encoding: 'utf8',
    });
    if (psql.status !== 0) throw new Error(`${statement}: ${psql.stderr}`);
    return psql.stdout.trim();
  }

  get #connection(): string[] {
    return ['-h', '127.0.0.1', '-p', this.#port, '-U', 'zonewright'];
  }

  #launch(): ChildProcess {
    const flags = Object.entries({ ...settings, port: this.#port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    return spawn(program('postgres'), ['-D', this.#folder, ...flags], { ...ids(), cwd: this.#folder, stdio: 'ignore' });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#process === undefined || !this.isRunning) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }

  /** Signalling only the postmaster would leave the backend processes running. */
  #signalAll(signal: NodeJS.Signals): void {
    const parent = String(this.#process?.pid);
    const children = spawnSync('pgrep', ['-P', parent], { encoding: 'utf8' }).stdout.trim().split('\n');
    for (const pid of [parent, ...children]) process.kill(Number(pid), signal);
  }
}

/** The server refuses to run as root. */
const ids = (): { readonly uid: number; readonly gid: number } => ({ uid: idOf('-u'), gid: idOf('-g') });

function own(folder: string): void {
  const { uid, gid } = ids();
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
}

function run(name: string, args: readonly string[]): void {
  execFileSync(program(name), args, { ...ids(), cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
}

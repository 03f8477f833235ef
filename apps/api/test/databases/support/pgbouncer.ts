import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { until } from '../../faults/support/until.ts';
import { ensurePackages, type Program, postgresUser, startProgram } from './debian.ts';

const program = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer';

/** PgBouncer in transaction mode, with fewer server connections than clients want. */
export interface PgBouncer {
  /** The database URL through PgBouncer. */
  readonly url: string;
  start(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

/** The version of the program: Debian's, or the one in PGBOUNCER. */
export function pgBouncerVersion(): { readonly text: string; readonly keepsStatements: boolean } {
  if (process.env['PGBOUNCER'] === undefined) ensurePackages({ pgbouncer: program });
  const [, text = '', major, minor] =
    /PgBouncer ((\d+)\.(\d+)\S*)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? [];
  return { text, keepsStatements: Number(major) > 1 || Number(minor) >= 21 };
}

/** A plain configuration: no ignored startup parameters, defaults otherwise. */
const configuration = (server: URL, port: number, keepsStatements: boolean): string => `
[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = users.txt
pool_mode = transaction
default_pool_size = 5
max_client_conn = 500
${keepsStatements ? 'max_prepared_statements = 100' : ''}
`;

/** Starts PgBouncer for the server at `target`. */
export async function openPgBouncer(target: string): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-pgbouncer-'));
  chmodSync(folder, 0o755);
  const [server, port] = [new URL(target), await getPort({ host: '127.0.0.1' })];
  writeFileSync(join(folder, 'pgbouncer.ini'), configuration(server, port, pgBouncerVersion().keepsStatements));
  writeFileSync(join(folder, 'users.txt'), `"${server.username}" "${server.password}"\n`);
  const user = process.getuid?.() === 0 ? { user: postgresUser() } : {};
  let running: Program | undefined;
  const start = async () => {
    const started = startProgram(program, ['pgbouncer.ini'], { cwd: folder, ...user });
    running = started;
    await until(() => started.output().includes('process up'));
  };
  await start();
  const url = new URL(target);
  url.port = String(port);
  return {
    url: url.href,
    start,
    kill: async () => running?.end('SIGKILL'),
    remove: async () => {
      await running?.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

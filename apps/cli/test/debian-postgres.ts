import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A server of Debian's `postgresql`, with its programs in the PATH. */
export interface DebianPostgres {
  readonly urlOf: (database: string) => string;
  readonly stop: () => Promise<unknown>;
}

const port = '54329';

/** Starts a server with these databases; its data are below the folder, which becomes that of its user. */
export async function startDebianPostgres(folder: string, databases: readonly string[]): Promise<DebianPostgres> {
  const [version = ''] = readdirSync('/usr/lib/postgresql').toSorted().toReversed();
  const program = (name: string) => `/usr/lib/postgresql/${version}/bin/${name}`;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']));
  const options = { uid: idOf('-u'), gid: idOf('-g'), cwd: folder };
  chownSync(folder, options.uid, options.gid);
  const data = join(folder, 'data');
  execFileSync(program('initdb'), ['-D', data, '-U', 'zonewright', '--auth=trust', '-E', 'UTF8'], options);
  const settings = [`port=${port}`, 'unix_socket_directories=', 'listen_addresses=127.0.0.1'];
  const flags = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(program('postgres'), flags, { ...options, stdio: 'ignore' });
  const create = (name: string) =>
    execFileSync(program('createdb'), ['-h', '127.0.0.1', '-p', port, '-U', 'zonewright', name], { stdio: 'ignore' });
  for (const name of databases) await retried(() => create(name));
  process.env['PATH'] = `/usr/lib/postgresql/${version}/bin:${process.env['PATH']}`;
  return {
    urlOf: (name) => `postgres://zonewright@127.0.0.1:${port}/${name}`,
    stop: () => {
      const stopped = once(server, 'close');
      server.kill('SIGINT');
      return stopped;
    },
  };
}

async function retried(work: () => unknown): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      work();
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await delay(100);
    }
  }
}

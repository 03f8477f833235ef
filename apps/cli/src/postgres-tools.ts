import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { CommandFailure } from './failure.ts';

/**
 * Runs a PostgreSQL program from the PATH on the database at `url`. The password is passed in the environment, which
 * other users of the machine cannot read. Its output goes to the file descriptor `output`, or nowhere. Rejects with the
 * program's error output.
 */
export async function runTool(
  program: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  url: string | undefined,
  output: number | 'ignore' = 'ignore',
): Promise<void> {
  const child = spawn(program, args, {
    env: { ...process.env, ...(url === undefined ? {} : connectionOf(url)) },
    stdio: ['ignore', output, 'pipe'],
  });
  const complaints = child.stderr === null ? Promise.resolve('') : text(child.stderr);
  // Lets the program exit first, so that its work can be undone.
  const interrupt = () => child.kill('SIGINT');
  for (const signal of signals) process.on(signal, interrupt);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', (error) => reject(missing(program, error)));
    child.on('close', resolve);
  }).finally(() => {
    for (const signal of signals) process.off(signal, interrupt);
  });
  if (code === null) throw new CommandFailure([`${program} was interrupted. Nothing is left of what it did.`]);
  if (code !== 0) throw new CommandFailure([...(await complaints).trim().split('\n'), ...advice(await complaints)]);
}

const signals = ['SIGINT', 'SIGTERM'] as const;

const missing = (program: string, error: Error): CommandFailure =>
  new CommandFailure([
    `${program} cannot be run (${'code' in error ? String(error.code) : error.message}). Install the client programs of PostgreSQL, of the version of the server or later.`,
  ]);

const advice = (complaints: string): readonly string[] =>
  complaints.includes('server version mismatch')
    ? ['Install the client programs of the version of the server, and put them first in PATH.']
    : [];

/** libpq's environment variables. */
function connectionOf(url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const sslmode = searchParams.get('sslmode');
  return {
    PGHOST: searchParams.get('host') ?? decodeURIComponent(hostname).replaceAll(/[[\]]/g, ''),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...(sslmode === null ? {} : { PGSSLMODE: sslmode }),
  };
}

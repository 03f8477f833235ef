import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, lstat, mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Command, commandAs, EmbeddedPostgresFailure, findPrograms, serverUser } from './programs.ts';

/** The only role, which owns everything in the cluster. */
export const role = 'zonewright';

/** A database cluster on disk. */
export interface Cluster {
  /** Real path of the server's data directory. */
  readonly folder: string;
  readonly password: string;
  /** The command of the server with these arguments. */
  readonly server: (args: readonly string[]) => Command;
}

/** No PG* variable may redirect the server, and no secret of the API may leak to it. */
export const serverEnvironment = (): NodeJS.ProcessEnv => {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];
  return { ...Object.fromEntries(names.map((name) => [name, process.env[name]])), LC_ALL: 'C', TZ: 'UTC' };
};

/** Opens the cluster in `<dataDir>/postgres`, and creates it if it does not exist. Root runs it as the user it belongs to. */
export async function openCluster(dataDir: string, isFast: boolean): Promise<Cluster> {
  const { initdb, postgres } = await findPrograms();
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const home = join(await realpath(dataDir), 'postgres');
  const user = serverUser();
  const owner = user !== undefined && existsSync(home) ? await lstat(home) : user;
  const command = (program: string, args: readonly string[]) =>
    commandAs(owner, [join(home, '..'), program], [program, ...args]);
  if (!existsSync(home)) await createCluster(home, user, (flags) => command(initdb, flags), isFast);
  const password = await readFile(join(home, 'password'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const reason = `the database in ${home} cannot be opened (${cause.code})`;
    const advice = 'use the user who made it, another DATA_DIR, or DATABASE_URL';
    throw new EmbeddedPostgresFailure(`${reason}; ${advice}`, { cause });
  });
  return { folder: join(home, 'cluster'), password, server: (args) => command(postgres, args) };
}

/** Made in a temporary folder and renamed into place, so that a killed start leaves nothing that looks finished. */
async function createCluster(
  home: string,
  user: ReturnType<typeof serverUser>,
  initdb: (flags: readonly string[]) => Command,
  isFast: boolean,
): Promise<void> {
  const draft = await mkdtemp(`${home}.new-`);
  const password = join(draft, 'password');
  await writeFile(password, randomBytes(32).toString('base64url'), { mode: 0o600 });
  if (user !== undefined) for (const path of [password, draft]) await chown(path, user.uid, user.gid);
  // Code point order, with letters of all scripts where the system's library knows them.
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8', '--lc-messages=C'];
  const access = [`--username=${role}`, '--auth=scram-sha-256', `--pwfile=${password}`];
  // Both sides repeat the iterations for every connection.
  const fast = isFast ? ['--no-sync', '--set=scram_iterations=1'] : [];
  const system = process.platform === 'linux' ? '--locale=C.UTF-8' : '--locale=C';
  const { line, as } = initdb([`--pgdata=${join(draft, 'cluster')}`, ...access, ...locale, system, ...fast]);
  try {
    await run(line, { ...as, cwd: draft });
    await rename(draft, home);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was faster; its cluster will do.
    if (!existsSync(home)) throw error;
  }
}

async function run([program, ...args]: Command['line'], options: { readonly cwd: string }): Promise<void> {
  const child = spawn(program, args, { ...options, env: serverEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? code}`));
  });
  const [errors, reason] = await Promise.all([text(child.stderr).catch(() => ''), ended]);
  const lines = errors.split('\n').filter((line) => line.includes('error:'));
  if (reason !== undefined)
    throw new EmbeddedPostgresFailure(`PostgreSQL could not make a database: ${lines[0] ?? reason}`);
}

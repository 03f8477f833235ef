import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Binaries,
  chooseLauncher,
  commandLine,
  EmbeddedPostgresFailure,
  findBinaries,
  type Launcher,
  serverUser,
  type UserIds,
} from './binaries.ts';

/** The only role, which owns everything in the cluster. */
export const role = 'zonewright';

/** A database cluster on disk. */
export interface Cluster {
  /** Real path of the server's data directory. */
  readonly folder: string;
  readonly password: string;
  readonly binaries: Binaries;
  readonly launcher: Launcher;
}

/**
 * The server gets almost nothing from our environment: no PG* variable may redirect it, and no secret of the API may
 * leak.
 */
export const serverEnvironment = (): NodeJS.ProcessEnv => {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];
  return { ...Object.fromEntries(names.map((name) => [name, process.env[name]])), LC_ALL: 'C', TZ: 'UTC' };
};

/** Opens the cluster in `<dataDir>/postgres`, and creates it if it does not exist. */
export async function openCluster(dataDir: string, fast: boolean): Promise<Cluster> {
  const binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const home = join(await realpath(dataDir), 'postgres');
  const user = await ownerOf(home);
  const launcher = chooseLauncher(user, [join(home, '..'), binaries.postgres]);
  if (!(await exists(home))) await createCluster({ home, user, binaries, launcher, fast });
  const password = (await readFile(join(home, 'password'), 'utf8').catch(refuseForeign(home))).trim();
  return { folder: join(home, 'cluster'), password, binaries, launcher };
}

/** Root runs an existing cluster as the user who created it. */
async function ownerOf(home: string): Promise<UserIds | undefined> {
  if (process.getuid?.() !== 0 || !(await exists(home))) return serverUser();
  const { uid, gid } = await lstat(home);
  return uid === 0 ? serverUser() : { uid, gid };
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

function refuseForeign(home: string): (cause: unknown) => never {
  return (cause) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    const advice = 'use the user who made it, another DATA_DIR, or DATABASE_URL';
    throw new EmbeddedPostgresFailure(`the database in ${home} cannot be opened (${code}); ${advice}`, { cause });
  };
}

/** A cluster to create. */
interface NewCluster {
  readonly home: string;
  readonly user: UserIds | undefined;
  readonly binaries: Binaries;
  readonly launcher: Launcher;
  readonly fast: boolean;
}

/**
 * Creates the cluster in a temporary folder and renames it into place, so that a killed start leaves nothing that looks
 * finished.
 */
async function createCluster(cluster: NewCluster): Promise<void> {
  const draft = await mkdtemp(`${cluster.home}.new-`);
  try {
    await fillDraft(draft, cluster);
    await rename(draft, cluster.home);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was faster; its cluster will do.
    if (!(await exists(cluster.home))) throw error;
  }
}

async function fillDraft(draft: string, { user, ...cluster }: NewCluster): Promise<void> {
  const passwordFile = join(draft, 'password');
  await writeFile(passwordFile, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  if (user !== undefined) {
    await chown(passwordFile, user.uid, user.gid);
    await chown(draft, user.uid, user.gid);
  }
  await chmod(draft, 0o700);
  await initialise(draft, passwordFile, cluster);
}

/** Code point order with letters of all scripts; old C libraries lack C.UTF-8, so there only ASCII letters count. */
async function initialise(draft: string, pwfile: string, cluster: Omit<NewCluster, 'user'>): Promise<void> {
  const folder = join(draft, 'cluster');
  const flags = [`--pgdata=${folder}`, `--username=${role}`, '--auth=scram-sha-256', `--pwfile=${pwfile}`];
  const text = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-messages=C'];
  // Both sides repeat the iterations for every connection.
  const fast = cluster.fast ? ['--no-sync', '--set=scram_iterations=1'] : [];
  const attempt = (locale: string) => runInitdb([...flags, ...text, ...fast, `--locale=${locale}`], draft, cluster);
  const refusal = await attempt('C.UTF-8');
  if (refusal === undefined) return;
  await rm(folder, { recursive: true, force: true });
  const second = await attempt('C');
  if (second !== undefined) throw new EmbeddedPostgresFailure(`PostgreSQL could not make a database: ${second}`);
}

/** Resolves to undefined on success, else to the reason. */
function runInitdb(
  flags: readonly string[],
  cwd: string,
  cluster: Omit<NewCluster, 'user'>,
): Promise<string | undefined> {
  const [program, ...args] = commandLine(cluster.launcher, cluster.binaries.initdb, flags);
  const options = { ...cluster.launcher.as, cwd, env: serverEnvironment(), stdio: 'pipe' } as const;
  return outcome(spawn(program, args, options));
}

function outcome(child: ChildProcess): Promise<string | undefined> {
  let errors = '';
  child.stdout?.resume();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : firstError(errors, signal)));
  });
}

function firstError(errors: string, signal: NodeJS.Signals | null): string {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  const error = lines.find((line) => line.includes('error:')) ?? lines[0];
  return error ?? `initdb was ended by ${signal ?? 'an unknown cause'}`;
}

/**
 * Removes what killed starts left next to the cluster; only the process that serves the cluster may call it. A folder
 * that another process is still filling may survive: that process removes it, or the next one that serves.
 */
export async function removeDrafts(cluster: Cluster): Promise<void> {
  const home = join(cluster.folder, '..');
  const siblings = await readdir(join(home, '..')).catch(() => []);
  const drafts = siblings.filter((name) => name.startsWith('postgres.new-'));
  await Promise.allSettled(drafts.map((name) => rm(join(home, '..', name), { recursive: true, force: true })));
}

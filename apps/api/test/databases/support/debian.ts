import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Installs Debian packages unless their programs exist; requires root. */
export function ensurePackages(programs: Readonly<Record<string, string>>): void {
  const missing = Object.entries(programs).filter(([, path]) => spawnSync('test', ['-x', path]).status !== 0);
  if (missing.length === 0) return;
  const packages = missing.map(([name]) => name);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', '--no-upgrade', ...packages], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The user of Debian's database programs, which refuse to run as root. */
export const postgresUser = (): { readonly uid: number; readonly gid: number } => {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** A program that runs until it is stopped. */
export interface Program {
  /** Its output so far. */
  output(): string;
  /** Resolves when it has exited. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** The environment of a program; nothing is inherited from ours. */
export interface Environment {
  readonly cwd: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly env?: Readonly<Record<string, string>>;
}

/** Stopped when the tests exit. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program. It is stopped with this process, unless this process is killed. */
export function startProgram(command: string, args: readonly string[], { cwd, user, env }: Environment): Program {
  const child = spawn(command, args, { ...user, cwd, env: { PATH: process.env['PATH'] ?? '', ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  }
  child.on('error', (error) => (text += error.message));
  running.add(child.once('exit', () => running.delete(child)));
  return { output: () => text, end: (signal = 'SIGTERM') => end(child, signal) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // Not when its output closes: its children may keep that open.
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

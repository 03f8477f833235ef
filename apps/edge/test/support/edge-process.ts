import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const fromSource = ['--import', 'tsx', '--conditions=@zonewright/source', 'apps/edge/src/main.ts'];

/** The program of the edge: the build if the full check has just made it, because it starts much faster. */
const entryPoint = process.env['ZONEWRIGHT_TEST_BUILD'] === '1' ? ['apps/edge/dist/main.js'] : fromSource;

/** An edge in a process of its own. */
export interface EdgeProcess {
  /** Resolves to the ports once it serves; rejects if it exits first. */
  readonly serving: Promise<{ readonly port: number; readonly privatePort: number }>;
  /** Resolves once it has exited. */
  readonly exited: Promise<Exit>;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** The processes that it has forked (Linux). */
  children(): readonly number[];
}

/** How a process ended, and what it wrote. */
export interface Exit {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Starts the program with nothing but these variables. */
export function startEdgeProcess(env: Readonly<Record<string, string>>, ...args: readonly string[]): EdgeProcess {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [...entryPoint, ...args], {
    cwd: root,
    env: { PATH, PORT: '0', PRIVATE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = exitOf(child);
  const serving = new Promise<{ port: number; privatePort: number }>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"msg":"serving"')) resolve(JSON.parse(line));
    });
    void exited.then(({ errors }) => reject(new Error(`The edge exited: ${errors}`)));
  });
  // Not every test waits for it.
  serving.catch(() => undefined);
  const children = () =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number);
  const pid = child.pid ?? 0;
  return { serving, exited, pid, kill: (signal) => void child.kill(signal), children };
}

function exitOf(child: ChildProcess): Promise<Exit> {
  const texts = { output: '', errors: '' };
  child.stdout?.on('data', (chunk) => {
    texts.output += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    texts.errors += String(chunk);
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
}

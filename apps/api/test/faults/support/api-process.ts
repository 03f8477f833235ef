import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/free-port.ts';
import { entryPoint } from '../../support/entry-point.ts';
import { until } from './until.ts';

/** The API as a process of its own, so that it can be killed. */
export interface ApiProcess {
  /** Where it answers. */
  readonly url: string;
  readonly pid: number;
  /** Everything it wrote so far, to both outputs. */
  output(): string;
  hasEnded(): boolean;
  /** `kill -9`: nothing of the process runs any more when this resolves. */
  kill(): Promise<void>;
  /** SIGTERM; resolves to the exit code, or to the signal that ended it. */
  stop(): Promise<number | string | null>;
}

/** What every process of one test shares: keys, and an address for links and access tokens. */
export interface Home {
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

const root = join(import.meta.dirname, '../../../../..');

/** The base URL is fixed: it is the issuer of access tokens, and a restart may get another port. */
export function makeHome(): Home {
  const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-faults-'));
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PUBLIC_BASE_URL: 'http://zones.example.com',
    DATA_DIR: dataDir,
    RATE_LIMIT_SCALE: '1000',
    UV_THREADPOOL_SIZE: '8',
  };
  return { environment, remove: () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Starts the entry point, or that of another version, and resolves when it serves. */
export async function startApi(
  home: Home,
  variables: Readonly<Record<string, string>>,
  program: readonly string[] = entryPoint,
): Promise<ApiProcess> {
  const port = await freePort('127.0.0.1');
  const env = { ...home.environment, PORT: String(port), ...variables };
  const child = spawn(process.execPath, program, { cwd: root, env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await until(() => hasEnded() || text.includes('Press Ctrl-C to stop.'), { seconds: 60 });
  if (hasEnded()) throw new Error(`The API did not start: ${text}`);
  return {
    url: `http://127.0.0.1:${port}`,
    // It has one: it has written something.
    pid: child.pid ?? 0,
    output: () => text,
    hasEnded,
    kill: async () => void (await end(child, 'SIGKILL')),
    stop: () => end(child, 'SIGTERM'),
  };
}

/** Resolves once the output is complete too. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }
  return child.exitCode ?? child.signalCode;
}

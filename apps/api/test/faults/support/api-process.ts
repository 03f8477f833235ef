import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { entryPoint } from '../../support/entry-point.ts';
import { until } from './until.ts';

/** The API as a separate process that can be killed. */
export interface ApiProcess {
  /** Its base URL. */
  readonly url: string;
  readonly pid: number;
  /** Everything it has written to stdout and stderr. */
  output(): string;
  hasEnded(): boolean;
  /** `kill -9`; resolves when the process has exited. */
  kill(): Promise<void>;
  /** SIGTERM; resolves to the exit code or the signal. */
  stop(): Promise<number | string | null>;
}

/** What all processes of a test share: keys, and a base URL for links and access tokens. */
export interface Home {
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

const root = join(import.meta.dirname, '../../../../..');

/** The base URL is fixed because it is the issuer of access tokens, and a restart may use another port. */
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

/** Starts the entry point, by default this version's, and resolves when it serves. */
export async function startApi(
  home: Home,
  variables: Readonly<Record<string, string>>,
  program: readonly string[] = entryPoint,
): Promise<ApiProcess> {
  const port = await getPort({ host: '127.0.0.1' });
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
    // It has written output, so it was spawned.
    pid: child.pid ?? 0,
    output: () => text,
    hasEnded,
    kill: async () => void (await end(child, 'SIGKILL')),
    stop: () => end(child, 'SIGTERM'),
  };
}

/** Resolves when the output is complete too. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }
  return child.exitCode ?? child.signalCode;
}

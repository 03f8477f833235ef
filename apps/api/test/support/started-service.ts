import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { entryPoint } from './entry-point.ts';

const root = join(import.meta.dirname, '../../../..');

/** The entry point as a child in its own process group, as under a terminal. */
export class StartedService {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(env: Record<string, string>) {
    const clean = { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' };
    this.child = spawn(process.execPath, entryPoint, { cwd: root, env: { ...clean, ...env }, detached: true });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Whether the process has exited. */
  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resolves to the URL in the start banner. */
  async url(): Promise<string> {
    await until(() => this.hasEnded || this.stdout.includes('Press Ctrl-C to stop.'));
    const url = / API +(\S+)/.exec(this.stdout)?.[1];
    return url ?? expect.fail(`no URL in ${JSON.stringify(this.stdout + this.stderr)}`);
  }

  /** Sends a signal to the process group, as Ctrl-C does. */
  signalGroup(signal: NodeJS.Signals): void {
    if (!this.hasEnded) process.kill(-this.child.pid!, signal);
  }

  /** Resolves to the exit code or signal once the output is complete too. */
  async end(): Promise<number | string | null> {
    if (!this.hasEnded) await once(this.child, 'close');
    return this.child.exitCode ?? this.child.signalCode;
  }
}

/** Polls until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

/** Whether there is such a process, other than a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(existsSync('/proc') ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '');
  } catch {
    return false;
  }
}

/** The ids of the processes in which an edge has begun to serve beside a service, oldest first, as far as it logs that. */
export const edgeIds = ({ stdout }: StartedService): readonly number[] =>
  [...stdout.matchAll(/"pid":(\d+),[^\n]*"name":"zonewright-edge",[^\n]*"msg":"serving"/g)].map(([, id]) => Number(id));

/** What the edge in the start banner answers for a host of no zone. */
export const statusOfEdge = async ({ stdout }: StartedService): Promise<number> =>
  (await fetch(/ Edge +(\S+)/.exec(stdout)?.[1] ?? '')).status;

/** Services that share a data folder, which a suite starts; after each test they are stopped. */
export interface Starts {
  readonly start: (env?: Record<string, string>) => StartedService;
  readonly dataDir: () => string;
  /** The process id of the database server. */
  readonly serverPid: () => number;
}

/** Creates the folder before the tests of the calling suite, and removes it afterwards. */
export function startsInOneFolder(): Starts {
  let dataDir: string;
  let services: StartedService[] = [];

  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'zonewright-start-'));
  });
  // Shared by all tests: creating a cluster takes most of a first start.
  afterEach(async () => {
    services.forEach((service) => service.signalGroup('SIGTERM'));
    await Promise.all(services.map((service) => service.end()));
    services = [];
  });
  after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

  return {
    start: (env = {}) => {
      const service = new StartedService({ DATA_DIR: dataDir, ...env });
      services.push(service);
      return service;
    },
    dataDir: () => dataDir,
    serverPid: () => Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10),
  };
}

/** A request with a complete header and an incomplete body: the service must wait for it. */
export async function aRequestUnderWay(url: string) {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong' });
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let received = '';
  socket.on('data', (text: string) => (received += text)).on('error', () => undefined);
  const receives = async (part: RegExp): Promise<string> => {
    await until(() => part.test(received) || socket.destroyed);
    const found = received;
    received = '';
    return found;
  };
  const head = ['POST /api/auth/login HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json'];
  socket.write(`${[...head, `Content-Length: ${body.length}`, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`);
  expect(await receives(/\r\n\r\n/)).to.match(/^HTTP\/1\.1 100 /);
  return {
    /** Sends the rest and returns the response. */
    finish: () => {
      socket.write(body);
      return receives(/\}$/);
    },
    /** Sends another request on the same connection. */
    ask: (path: string) => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      return receives(/\}$/);
    },
    hasEnded: () => socket.destroyed,
  };
}

/** Resolves once the service no longer accepts connections. */
export const refusesConnections = async (url: string) => {
  const answers = () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
  while (await answers()) await delay(10);
};

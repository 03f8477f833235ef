import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort } from './readme-support.ts';
import { entryPoint } from './support/entry-point.ts';

const root = join(import.meta.dirname, '../../..');

/** The entry point as a child in its own process group, as under a terminal. */
class Service {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(env: Record<string, string>) {
    const clean = { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' };
    this.child = spawn(process.execPath, entryPoint, { cwd: root, env: { ...clean, ...env }, detached: true });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resolves to the URL in the start banner. */
  async url(): Promise<string> {
    await until(() => this.hasEnded || this.stdout.includes('Press Ctrl-C to stop.'));
    const url = / API +(\S+)/.exec(this.stdout)?.[1];
    return url ?? expect.fail(`no URL in ${JSON.stringify(this.stdout + this.stderr)}`);
  }

  signalGroup(signal: NodeJS.Signals): void {
    if (!this.hasEnded) process.kill(-this.child.pid!, signal);
  }

  /** Resolves to the exit code or signal once the output is complete too. */
  async end(): Promise<number | string | null> {
    if (!this.hasEnded) await once(this.child, 'close');
    return this.child.exitCode ?? this.child.signalCode;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

/** The ids of the processes in which an edge has begun to serve beside a service, oldest first. */
const edgeIds = ({ stdout }: Service): readonly number[] =>
  [...stdout.matchAll(/"pid":(\d+),[^\n]*"name":"zonewright-edge",[^\n]*"msg":"serving"/g)].map(([, id]) => Number(id));

/** The status of the edge in the start banner. */
const answersOfEdge = async ({ stdout }: Service): Promise<number> =>
  (await fetch(/ Edge +(\S+)/.exec(stdout)?.[1] ?? '')).status;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(existsSync('/proc') ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '');
  } catch {
    return false;
  }
}

describe('the entry point', function () {
  this.timeout(60_000);
  let dataDir: string;
  let services: Service[] = [];

  const start = (env: Record<string, string> = {}): Service => {
    const service = new Service({ DATA_DIR: dataDir, ...env });
    services.push(service);
    return service;
  };
  const serverPid = (): number =>
    Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);

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

  const mistakes: [string, Record<string, string>, RegExp][] = [
    ['an unreachable database', { DATABASE_URL: 'postgres://u:hush@127.0.0.1:1/x' }, /^DATABASE_URL: .*\n$/],
    [
      'a host of another machine',
      { HOST: '192.0.2.1' },
      /^HOST: "192\.0\.2\.1" is not an address of this machine .*\n$/,
    ],
    ['an invalid host', { HOST: 'nowhere.invalid', PORT: '39871' }, /^HOST: "nowhere.invalid" is not an address .*\n$/],
    [
      'a folder that cannot be created',
      { DATA_DIR: '/proc/x' },
      /^DATA_DIR: "\/proc\/x" cannot be written \(E[A-Z]+\)\n$/,
    ],
    [
      'a folder below a file',
      { DATA_DIR: `${import.meta.filename}/x` },
      /^DATA_DIR: ".*" cannot be written \(ENOTDIR\)\n$/,
    ],
    [
      'keys that cannot be created',
      { KEYS_FILE: '/proc/x/keys' },
      /^KEYS_FILE: "\/proc\/x\/keys" cannot be created \(E[A-Z]+\)\n$/,
    ],
    ['missing variables in production', { NODE_ENV: 'production' }, /^([A-Z_]+: is required in production\n){4}$/],
  ];
  for (const [name, env, lines] of mistakes) {
    it(`reports ${name} in one line, with exit code 1`, async () => {
      const service = start(env);
      expect(await service.end()).to.equal(1);
      expect(service.stderr).to.match(lines);
      expect(service.stdout + service.stderr).to.not.match(/hush|\n +at /);
    });
  }

  it('logs one warning in production about an unencrypted database connection', async () => {
    const service = start({
      NODE_ENV: 'production',
      PUBLIC_BASE_URL: 'https://zones.example.com',
      DATABASE_URL: 'postgres://zones:hush@db.example.com/zones',
      SMTP_URL: 'smtps://mail.example.com',
      MAIL_FROM: 'zones@example.com',
    });
    // Without a keys file it stops there.
    expect(await service.end()).to.equal(1);
    expect(service.stdout.match(/DATABASE_URL: the connection to the database is not encrypted/g)).to.have.length(1);
    expect(service.stdout).to.not.include('hush');
  });

  it('reports a port in use in one line, with exit code 1, and leaves no database server', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    try {
      const service = start({ PORT: String(port) });
      expect(await service.end()).to.equal(1);
      expect(service.stderr).to.match(/^PORT: .*\n$/);
      expect(service.stderr)
        .to.include(`PORT: ${port} `)
        .and.include(`PORT=${port + 1}\n`);
      expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).to.equal(false);
    } finally {
      other.close();
    }
  });

  it('reports sample keys in one line, with exit code 1', async () => {
    const service = start({ KEYS_FILE: join(root, 'package.json') });
    expect(await service.end()).to.equal(1);
    expect(service.stderr).to.match(/^KEYS_FILE: .*\n$/);
  });

  /** A request with a complete header and an incomplete body: the service must wait for it. */
  async function aRequestUnderWay(url: string) {
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

  const refusesConnections = async (url: string) => {
    const answers = () =>
      fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      );
    while (await answers()) await delay(10);
  };

  it('finishes current requests after SIGTERM to its process group, and exits 0 without a database server', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const service = start({ EDGE_PORT: String(port) });
    const url = await service.url().finally(() => other.close());
    // An edge that cannot start keeps the service from nothing.
    expect(service.stdout).to.match(/^ {2}Edge +none$/m);
    expect(service.stderr).to.equal(`EDGE_PORT: ${port} on 127.0.0.1 is in use; choose another one, or off\n`);
    const pid = serverPid();
    expect((await fetch(`${url}/healthz`)).status).to.equal(200);
    expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    const request = await aRequestUnderWay(url);
    service.signalGroup('SIGTERM');
    await refusesConnections(url);
    expect(service.hasEnded).to.equal(false);
    expect(await request.finish())
      .to.match(/^HTTP\/1\.1 401 /)
      .and.include('invalid-credentials');
    const ready = await request.ask('/readyz');
    expect(ready)
      .to.match(/^HTTP\/1\.1 503 /)
      .and.match(/^Connection: close\r$/im);
    await until(request.hasEnded);
    expect(await service.end()).to.equal(0);
    expect(isAlive(pid)).to.equal(false);
    expect(service.stderr).to.match(/^EDGE_PORT: .*\n$/);
  });

  it('exits 1 on a second signal, whatever is in progress, and leaves no database server', async () => {
    const service = start();
    const url = await service.url();
    const pid = serverPid();
    const request = await aRequestUnderWay(url);
    service.child.kill('SIGTERM');
    await refusesConnections(url);
    // A second signal that follows too closely counts as the same one.
    while (!service.hasEnded) {
      service.child.kill('SIGTERM');
      await delay(10);
    }
    expect(await service.end()).to.equal(1);
    expect(service.stdout).to.include('a second signal cut the shutdown short');
    await until(request.hasEnded);
    await until(() => !isAlive(pid));
  });

  it('exits 0 and leaves no process when a signal arrives while it creates its database', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'zonewright-start-'));
    const service = start({ DATA_DIR: empty });
    await until(() => readdirSync(empty).some((name) => name.startsWith('postgres')));
    service.signalGroup('SIGINT');
    expect(await service.end()).to.equal(0);
    expect(service.stderr).to.equal('');
    expect(existsSync(join(empty, 'postgres/cluster/postmaster.pid'))).to.equal(false);
    rmSync(empty, { recursive: true, force: true, maxRetries: 5 });
  });

  it('reports a data folder in use in one line, restarts with its data after kill -9, and exits 0 on SIGINT', async () => {
    // The key of an edge of another database.
    const edgeKey = join(dataDir, 'local-edge/key');
    const [stranger, edgePort] = [`zwe_${'x'.repeat(43)}`, await freePort()];
    mkdirSync(dirname(edgeKey), { recursive: true });
    writeFileSync(edgeKey, stranger);
    const first = start({ EDGE_PORT: edgePort, LOG_LEVEL: 'info' });
    const url = await first.url();
    await until(() => first.stdout.includes('"msg":"enrolled"'));
    const key = readFileSync(edgeKey, 'utf8');
    expect(key).to.match(/^zwe_/).and.not.equal(stranger);
    expect(await answersOfEdge(first)).to.equal(421);
    process.kill(edgeIds(first)[0] ?? 0, 'SIGKILL');
    await until(() => edgeIds(first).length === 2);
    expect(await answersOfEdge(first)).to.equal(421);
    const second = start();
    expect(await second.end()).to.equal(1);
    expect(second.stderr).to.match(
      /^DATA_DIR: another zonewright is running on this DATA_DIR .* DATA_DIR=.data2 PORT=3001\n$/,
    );
    expect((await fetch(`${url}/healthz`)).status).to.equal(200);
    const keys = readFileSync(join(dataDir, 'keys.json'), 'utf8');
    first.child.kill('SIGKILL');
    await until(() => edgeIds(first).every((id) => !isAlive(id)));
    expect(await first.end()).to.equal('SIGKILL');
    const third = start({ EDGE_PORT: edgePort });
    expect((await fetch(`${await third.url()}/healthz`)).status).to.equal(200);
    expect(readFileSync(join(dataDir, 'keys.json'), 'utf8')).to.equal(keys);
    expect(await answersOfEdge(third)).to.equal(421);
    expect(readFileSync(edgeKey, 'utf8')).to.equal(key);
    const pid = serverPid();
    expect(isAlive(pid)).to.equal(true);
    third.signalGroup('SIGINT');
    expect(await third.end()).to.equal(0);
    expect(isAlive(pid)).to.equal(false);
    expect(third.stderr).to.equal('');
  });
});

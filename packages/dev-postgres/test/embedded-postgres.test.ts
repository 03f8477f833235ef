import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres, startTemporaryPostgres } from '../src/embedded-postgres.ts';

/** Runs one statement on its own connection. */
async function query<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const connection = new Client(url);
  await connection.connect();
  try {
    return (await connection.query<Row>(statement)).rows;
  } finally {
    await connection.end();
  }
}

const serverPid = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'), 10);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/\) Z /.test(existsSync('/proc') ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '');
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

/** The watchers of a process: its shell children. */
function watchersOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const [, owner] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return Number(owner) === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postmaster.pid');
    } catch {
      return false;
    }
  });
}

/** For other processes: the build of the full check if there is one, which loads much faster, otherwise the source. */
const [modulePath, ...loader] =
  process.env['ZONEWRIGHT_TEST_BUILD'] === '1'
    ? ['../dist/embedded-postgres.js']
    : ['../src/embedded-postgres.ts', '--import', 'tsx'];
const moduleUrl = pathToFileURL(join(import.meta.dirname, modulePath)).href;

const inUse = (dataDir: string): string =>
  `another zonewright is running on this DATA_DIR (${dataDir}); stop it, or start this one with others: DATA_DIR=.data2 PORT=3001`;

/** Another Node process that serves `dataDir` and prints the URL or the failure. */
async function otherProcess(dataDir: string): Promise<{ child: ChildProcess; said: string }> {
  const script = `import { startEmbeddedPostgres } from ${JSON.stringify(moduleUrl)};
    try { console.log((await startEmbeddedPostgres({ dataDir: process.argv[1] })).url); }
    catch (error) { console.log(error.message); }`;
  const flags = [...loader, '--input-type=module', '-e', script, dataDir];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, said };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('startEmbeddedPostgres', function () {
  this.timeout(60_000);
  let dataDir: string;
  /** Created once and copied, because creating a cluster takes far longer. */
  let served: string;
  let running: EmbeddedPostgres[] = [];

  const start = async (): Promise<EmbeddedPostgres> => {
    const server = await startEmbeddedPostgres({ dataDir });
    running.push(server);
    return server;
  };

  before(async () => {
    served = realpathSync(mkdtempSync(join(tmpdir(), 'zonewright-test-')));
    await (await startEmbeddedPostgres({ dataDir: served })).stop();
  });
  after(() => rm(served, { recursive: true, force: true }));

  beforeEach(() => {
    dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'zonewright-test-')));
  });

  /** Starts from a copy of the cluster that was created once. */
  const isNotNew = (): void => {
    chmodSync(dataDir, 0o711);
    execFileSync('cp', ['-a', join(served, 'postgres'), dataDir]);
  };

  afterEach(async () => {
    await Promise.all(running.map((server) => server.stop()));
    running = [];
    await rm(dataDir, { recursive: true, force: true });
  });

  it('serves a UTF-8 database with pg_trgm and letters of all scripts, protected by a password', async () => {
    isNotNew();
    const { url } = await start();
    await query(url, 'CREATE EXTENSION pg_trgm');
    const rows = await query(url, `SELECT lower('НОЧЬ') AS lower, current_setting('server_encoding') AS encoding`);
    expect(rows).to.deep.equal([{ lower: 'ночь', encoding: 'UTF8' }]);
    const failure = await query(url.replace(/:[^:@]+@/, ':guess@'), 'SELECT 1').catch((error: Error) => error.message);
    expect(failure).to.match(/password authentication failed/);
    expect(statSync(join(dataDir, 'postgres', 'password')).mode & 0o777).to.equal(0o600);
  });

  it('keeps data across a stop and leaves no process', async () => {
    isNotNew();
    const watchersOfOthers = watchersOf(process.pid);
    const first = await start();
    await query(first.url, 'CREATE TABLE kept (id int)');
    const pid = serverPid(dataDir);
    await first.stop();
    expect(isAlive(pid)).to.equal(false);
    expect(watchersOf(process.pid)).to.deep.equal(watchersOfOthers);
    const second = await start();
    expect(await query(second.url, 'SELECT id FROM kept')).to.deep.equal([]);
  });

  it('can be stopped twice', async () => {
    isNotNew();
    const server = await start();
    await server.stop();
    await server.stop();
  });

  it('stops the server when its owner is killed', async () => {
    isNotNew();
    const { child } = await otherProcess(dataDir);
    const pid = serverPid(dataDir);
    await kill(child);
    await until(() => !isAlive(pid));
  });

  it('recovers if owner, watcher and server were all killed', async () => {
    isNotNew();
    const { child, said } = await otherProcess(dataDir);
    await query(said, 'CREATE TABLE kept AS SELECT 7 AS id');
    watchersOf(child.pid!).forEach((watcher) => process.kill(watcher, 'SIGKILL'));
    process.kill(serverPid(dataDir), 'SIGKILL');
    await kill(child);
    const { url } = await start();
    expect(await query(url, 'SELECT id FROM kept')).to.deep.equal([{ id: 7 }]);
  });

  it('is not misled by a stale lock file whose process id has been reused', async () => {
    isNotNew();
    await (await start()).stop();
    const stranger = spawn('sleep', ['60'], statSync(join(dataDir, 'postgres')));
    const lock = `${stranger.pid}\n${join(dataDir, 'postgres', 'cluster')}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`;
    await writeFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), lock);
    try {
      const { url } = await start();
      expect(await query(url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
      expect(isAlive(stranger.pid!)).to.equal(true);
    } finally {
      stranger.kill();
    }
  });

  it('refuses a folder that is being served, with one line, and does not affect the first server', async () => {
    isNotNew();
    const { url } = await start();
    const { said } = await otherProcess(dataDir);
    expect(said).to.equal(inUse(dataDir));
    expect(await query(url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
  });
});

describe('startTemporaryPostgres', function () {
  this.timeout(30_000);

  it('starts empty and is removed by stop, including its folder', async () => {
    const server = await startTemporaryPostgres();
    const [setting] = await query<{ data_directory: string }>(server.url, 'SHOW data_directory');
    const folder = join(setting?.data_directory ?? expect.fail('the server has no folder'), '../..');
    expect(basename(folder)).to.match(/^zonewright-/);
    await server.stop();
    expect(existsSync(folder)).to.equal(false);
  });

  it('is stopped and removed when its process ends, which it does not keep running', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'temporary-'));
    const script = `import { startTemporaryPostgres } from ${JSON.stringify(moduleUrl)}; await startTemporaryPostgres();`;
    const env = { ...process.env, TMPDIR: folder };
    execFileSync(process.execPath, [...loader, '--input-type=module', '-e', script], { env });
    // The loader keeps a folder there, too.
    await until(() => readdirSync(folder).every((name) => !name.startsWith('zonewright-')));
    await rm(folder, { recursive: true });
  });
});

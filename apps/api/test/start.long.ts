import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort } from './readme-support.ts';
import {
  aRequestUnderWay,
  edgeIds,
  isAlive,
  refusesConnections,
  startsInOneFolder,
  statusOfEdge,
  until,
} from './support/started-service.ts';

const root = join(import.meta.dirname, '../../..');

describe('the entry point', function () {
  this.timeout(60_000);
  const { start, serverPid } = startsInOneFolder();

  const mistakes: [string, Record<string, string>, RegExp][] = [
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

  it('reports sample keys in one line, with exit code 1', async () => {
    const service = start({ KEYS_FILE: join(root, 'package.json') });
    expect(await service.end()).to.equal(1);
    expect(service.stderr).to.match(/^KEYS_FILE: .*\n$/);
  });

  it('replaces the edge beside it when that ends', async () => {
    const service = start({ EDGE_PORT: await freePort(), LOG_LEVEL: 'info' });
    await service.url();
    await until(() => service.stdout.includes('"msg":"enrolled"') && edgeIds(service).length === 1);
    const [first = 0] = edgeIds(service);
    process.kill(first, 'SIGKILL');
    await until(() => edgeIds(service).length === 2);
    expect(await statusOfEdge(service)).to.equal(421);
    expect(service.stdout).to.include('the edge exited; it will be replaced');
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
});

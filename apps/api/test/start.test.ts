import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { aRequestUnderWay, isAlive, refusesConnections, startsInOneFolder, until } from './support/started-service.ts';

/** The everyday part of `start.long.ts`. */
describe('the entry point', function () {
  this.timeout(60_000);
  const { start, dataDir, serverPid } = startsInOneFolder();

  const mistakes: [string, Record<string, string>, RegExp][] = [
    ['an unreachable database', { DATABASE_URL: 'postgres://u:hush@127.0.0.1:1/x' }, /^DATABASE_URL: .*\n$/],
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
      expect(existsSync(join(dataDir(), 'postgres/cluster/postmaster.pid'))).to.equal(false);
    } finally {
      other.close();
    }
  });

  it('finishes current requests after SIGTERM to its process group, and exits 0 without a database server', async () => {
    const service = start();
    const url = await service.url();
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
    expect(service.stderr).to.equal('');
  });

  it('reports a data folder in use in one line, restarts with its data after kill -9, and exits 0 on SIGINT', async () => {
    const first = start();
    const url = await first.url();
    const second = start();
    expect(await second.end()).to.equal(1);
    expect(second.stderr).to.match(
      /^DATA_DIR: another zonewright is running on this DATA_DIR .* DATA_DIR=.data2 PORT=3001\n$/,
    );
    expect((await fetch(`${url}/healthz`)).status).to.equal(200);
    const keys = readFileSync(join(dataDir(), 'keys.json'), 'utf8');
    first.signalGroup('SIGKILL');
    expect(await first.end()).to.equal('SIGKILL');
    const third = start();
    expect((await fetch(`${await third.url()}/healthz`)).status).to.equal(200);
    expect(readFileSync(join(dataDir(), 'keys.json'), 'utf8')).to.equal(keys);
    const pid = serverPid();
    expect(isAlive(pid)).to.equal(true);
    third.signalGroup('SIGINT');
    expect(await third.end()).to.equal(0);
    expect(isAlive(pid)).to.equal(false);
    expect(third.stderr).to.equal('');
  });
});

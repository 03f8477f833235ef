import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
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

  it('reports a data folder in use in one line, restarts with its data after kill -9, and exits 0 on SIGINT', async () => {
    // The key of an edge of another database.
    const edgeKey = join(dataDir(), 'local-edge/key');
    const [stranger, edgePort] = [`zwe_${'x'.repeat(43)}`, await freePort()];
    mkdirSync(dirname(edgeKey), { recursive: true });
    writeFileSync(edgeKey, stranger);
    const first = start({ EDGE_PORT: edgePort, LOG_LEVEL: 'info' });
    const url = await first.url();
    await until(() => first.stdout.includes('"msg":"enrolled"'));
    const key = readFileSync(edgeKey, 'utf8');
    expect(key).to.match(/^zwe_/).and.not.equal(stranger);
    expect(await statusOfEdge(first)).to.equal(421);
    const second = start();
    expect(await second.end()).to.equal(1);
    expect(second.stderr).to.match(
      /^DATA_DIR: another zonewright is running on this DATA_DIR .* DATA_DIR=.data2 PORT=3001\n$/,
    );
    expect((await fetch(`${url}/healthz`)).status).to.equal(200);
    const keys = readFileSync(join(dataDir(), 'keys.json'), 'utf8');
    first.child.kill('SIGKILL');
    await until(() => edgeIds(first).every((id) => !isAlive(id)));
    expect(await first.end()).to.equal('SIGKILL');
    const third = start({ EDGE_PORT: edgePort });
    expect((await fetch(`${await third.url()}/healthz`)).status).to.equal(200);
    expect(readFileSync(join(dataDir(), 'keys.json'), 'utf8')).to.equal(keys);
    expect(await statusOfEdge(third)).to.equal(421);
    expect(readFileSync(edgeKey, 'utf8')).to.equal(key);
    const pid = serverPid();
    expect(isAlive(pid)).to.equal(true);
    third.signalGroup('SIGINT');
    expect(await third.end()).to.equal(0);
    expect(isAlive(pid)).to.equal(false);
    expect(third.stderr).to.equal('');
  });
});

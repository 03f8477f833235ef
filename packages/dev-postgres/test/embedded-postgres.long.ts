import { chmodSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from 'pg';
import { type EmbeddedPostgres, EmbeddedPostgresFailure, startEmbeddedPostgres } from '../src/index.ts';

describe('The first start of an embedded server', function () {
  this.timeout(60_000);
  let dataDir: string;
  let running: EmbeddedPostgres[] = [];

  const start = async (): Promise<EmbeddedPostgres> => {
    const server = await startEmbeddedPostgres({ dataDir });
    running.push(server);
    return server;
  };

  beforeEach(() => {
    dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'zonewright-test-')));
  });
  afterEach(async () => {
    await Promise.all(running.map((server) => server.stop()));
    running = [];
    await rm(dataDir, { recursive: true, force: true });
  });

  it('works in a folder that only its owner may enter', async () => {
    chmodSync(dataDir, 0o700);
    dataDir = join(dataDir, 'closed', 'data');
    const { url } = await start();
    const connection = new Client(url);
    await connection.connect();
    expect((await connection.query('SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
    await connection.end();
    await running.pop()?.stop();
    dataDir = join(dataDir, '..', '..');
  });

  it('lets exactly one of three concurrent first starts use the folder', async () => {
    const inUse = `another zonewright is running on this DATA_DIR (${dataDir}); stop it, or start this one with others: DATA_DIR=.data2 PORT=3001`;
    const starts = await Promise.allSettled([start(), start(), start()]);
    const refused = starts.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
    expect(refused.map((error) => error.message)).to.deep.equal([inUse, inUse]);
    expect(refused.every((error) => error instanceof EmbeddedPostgresFailure)).to.equal(true);
    expect(readdirSync(dataDir)).to.deep.equal(['postgres']);
  });
});

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { freePort, type Service, startService } from './readme-support.ts';
import { aVerifiedUser, unique } from './support/arrange.ts';
import { type Client, clientOf, statusCounts } from './support/client.ts';
import { freshDatabase } from './support/database.ts';

const parallel = 20;
const rounds = 2;

describe('Twenty simultaneous requests to two processes with one Idempotency-Key', function () {
  this.timeout(60_000);
  let dataDir: string;
  let processes: readonly Service[] = [];
  let database: Database;
  let url: string;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'zonewright-keys-'));
    const { url: databaseUrl, database: opened } = await freshDatabase();
    database = opened;
    const shared = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PUBLIC_BASE_URL: 'http://zones.example.com',
      RATE_LIMIT_SCALE: '1000',
      UV_THREADPOOL_SIZE: '8',
      LOG_LEVEL: 'error',
    };
    const ports = [await freePort(), await freePort()];
    processes = await Promise.all(ports.map((PORT) => startService({ ...shared, PORT })));
    url = processes[0]?.url ?? '';
  });
  after(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await database?.$pool.end();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const count = async (statement: string, values: readonly unknown[]): Promise<number> =>
    (await database.one<{ count: number }>(`SELECT count(*)::int AS count FROM ${statement}`, values)).count;

  /**
   * Sends the same request many times concurrently, alternating between both processes; returns the distinct responses,
   * all with 201.
   */
  async function answersTo(path: string, body: unknown, authorization: string): Promise<readonly string[]> {
    const clients = processes.map((process) => clientOf(process.url, { authorization }));
    const headers = { 'idempotency-key': randomUUID() };
    const sent = Array.from({ length: parallel }, (_, index) =>
      (clients[index % 2] as Client).post(path, body, headers),
    );
    const replies = await Promise.all(sent);
    expect(statusCounts(replies), replies.find(({ status }) => status !== 201)?.text).to.deep.equal({ 201: parallel });
    const replays = replies.filter((reply) => reply.headers.get('idempotency-replayed') === 'true');
    expect(replays).to.have.lengthOf(parallel - 1);
    return [...new Set(replies.map((reply) => `${reply.headers.get('location')} ${reply.text}`))];
  }

  it(`create exactly one zone, and all get the same 201, in each of ${rounds} rounds`, async () => {
    const { token } = await aVerifiedUser({ url, database });
    for (let round = 0; round < rounds; round += 1) {
      const name = `zone-${unique()}`;
      expect(await answersTo('/api/zones', { name }, `Bearer ${token}`)).to.have.lengthOf(1);
      expect(await count('zones WHERE name = $1', [name])).to.equal(1);
    }
  });

  it(`create exactly one organization, which has no unique name, in each of ${rounds} rounds`, async () => {
    const { token } = await aVerifiedUser({ url, database });
    for (let round = 0; round < rounds; round += 1) {
      const name = `Team ${unique()}`;
      expect(await answersTo('/api/organizations', { name }, `Bearer ${token}`)).to.have.lengthOf(1);
      expect(await count('organizations WHERE name = $1', [name])).to.equal(1);
    }
  });
});

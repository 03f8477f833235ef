import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultZoneSettings } from '@zonewright/core';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import getPort from 'get-port';
import { aVerifiedUser, type User } from '../support/arrange.ts';
import { freshDatabase } from '../support/database.ts';
import { type ApiProcess, type Home, makeHome, startApi } from './support/api-process.ts';
import { until } from './support/until.ts';

/** In MiB: half of what the documents plan for a process, which has no analyses here. */
const memoryBound = 768;
const readers = 20;

/** Zones with four custom pages of the maximum size each. */
async function fillWithLargeZones(database: Database, { organization }: User): Promise<void> {
  const html = 'x'.repeat(262_144);
  const pages = ['Error', 'Security', 'Challenge', 'Maintenance'].map((page) => [`customPages${page}Html`, html]);
  const settings = JSON.stringify({ ...defaultZoneSettings, ...Object.fromEntries(pages) });
  await database.none(
    `WITH added AS (
       INSERT INTO zones (id, organization_id, name, name_key, tag, ban_token_hash)
       SELECT gen_random_uuid(), $1, 'Zone ' || n, 'zone ' || n, 'prod', 'ban_' || lpad(n::text, 36, '0')
       FROM generate_series(1, 100) AS n RETURNING id
     )
     INSERT INTO zone_settings (zone_id, settings) SELECT id, $2::json FROM added`,
    [organization, settings],
  );
}

describe('The memory of a process', function () {
  this.timeout(60_000);
  let home: Home;
  let database: Database;
  let api: ApiProcess;
  let metricsUrl: string;
  let ada: User;
  let largestPage: string;

  beforeEach(async () => {
    home = makeHome();
    const { url, database: opened } = await freshDatabase();
    database = opened;
    const metricsPort = await getPort({ host: '127.0.0.1' });
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    api = await startApi(home, { DATABASE_URL: url, METRICS_PORT: String(metricsPort), LOG_LEVEL: 'warn' });
    ada = await aVerifiedUser({ url: api.url, database });
    await fillWithLargeZones(database, ada);
    const { fits } = (await ada.get('/api/zones?itemsPerPage=100')).json() as { fits: number };
    largestPage = `/api/zones?itemsPerPage=${fits}`;
  });
  afterEach(async () => {
    await api.kill();
    await database.$pool.end();
    home.remove();
  });

  /** A metric of the process. */
  async function metric(name: string): Promise<number> {
    const text = await (await fetch(metricsUrl)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  }

  /** Peak memory of the process during the work, in MiB. */
  async function peakDuring(work: Promise<unknown>): Promise<number> {
    const state = { isDone: false };
    const ended = work.finally(() => {
      state.isDone = true;
    });
    let peak = 0;
    while (!state.isDone) {
      peak = Math.max(peak, (await metric('process_resident_memory_bytes')) / 2 ** 20);
      await pause(20);
    }
    await ended;
    return peak;
  }

  /** Reads the page, retrying while the process has no memory for it. */
  async function read(): Promise<void> {
    const response = await fetch(new URL(largestPage, api.url), { headers: { authorization: `Bearer ${ada.token}` } });
    const bytes = (await response.arrayBuffer()).byteLength;
    if (response.status === 503) {
      await pause(20);
      return read();
    }
    expect(response.status).to.equal(200);
    expect(bytes).to.be.within(7_000_000, 9_000_000);
  }

  /** Requests the page without reading the response. */
  async function stall(): Promise<Socket> {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1').pause();
    await once(socket, 'connect');
    socket.write(`GET ${largestPage} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${ada.token}\r\n\r\n`);
    return socket;
  }

  const answered = async (): Promise<boolean> => {
    const text = await (await fetch(metricsUrl)).text();
    const counts = [...text.matchAll(/^http_request_duration_seconds_count\{.*route="\/api\/zones".*\} (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0) >= readers;
  };

  it('stays within its bound with 20 clients that read the largest pages concurrently', async () => {
    const peak = await peakDuring(Promise.all(Array.from({ length: readers }, read)));
    expect(peak).to.be.below(memoryBound);
  });

  it('stays within its bound with 20 clients that read nothing, while others are served', async () => {
    const sockets = await Promise.all(Array.from({ length: readers }, stall));
    const peak = await peakDuring(until(answered, { seconds: 30 }));
    expect(peak).to.be.below(memoryBound);
    const other = await aVerifiedUser({ url: api.url, database });
    expect((await other.get('/api/zones')).status).to.equal(200);
    for (const socket of sockets) socket.destroy();
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import { defaultZoneSettings } from '@zonewright/core';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import getPort from 'get-port';
import { type ApiProcess, type Home, makeHome, startApi } from '../faults/support/api-process.ts';
import { aVerifiedUser, aZone, rulesOf, type User, type ZoneBody } from '../support/arrange.ts';
import { freshDatabase } from '../support/database.ts';
import { entryPoint } from '../support/entry-point.ts';
import { shippedSize } from './shipped-size.ts';

const connections = 24;
const milliseconds = Number(process.env['SECONDS'] ?? 10) * 1000;
const html = 'x'.repeat(262_144);
const pages = Object.fromEntries(
  ['Error', 'Security', 'Challenge', 'Maintenance'].map((page) => [`customPages${page}Html`, html]),
);

/** The largest rules: 30 of each of two kinds, with 200 kB of content each. */
const addRules = (database: Database, { id }: ZoneBody): Promise<unknown> =>
  database.none(
    `INSERT INTO rules (id, zone_id, kind, content, rank, name_key)
     SELECT gen_random_uuid(), $1, 'configurationRule', json_build_object(
       'name', 'Rule ' || n, 'conditions', json_build_object('logic', 'or', 'conditions', (
         SELECT json_agg(json_build_object('field', 'uri', 'operator', 'equals', 'value', '/' || n || '/' || m || repeat('x', 1000)))
         FROM generate_series(1, 50) AS m
       )), 'settingsOverrides', json_build_object('minifyHtml', true), 'enabled', true, 'description', null
     ), n, 'rule ' || n FROM generate_series(1, 100) AS n`,
    [id],
  );

/**
 * Run by `pnpm test:abuse`: the service with the heap of the shipped unit, while one account reads the largest that it
 * has over many connections. The limit of the unit is compared with the memory that is resident, because a control
 * group needs privileges that a developer's machine does not give.
 */
describe('The memory of a process of the shipped size', function () {
  this.timeout(300_000);
  let home: Home;
  let database: Database;
  let api: ApiProcess;
  let metricsUrl: string;
  let ada: User;
  let zone: ZoneBody;

  before(async () => {
    home = makeHome();
    const { url, database: opened } = await freshDatabase();
    database = opened;
    const metricsPort = await getPort({ host: '127.0.0.1' });
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    const variables = { DATABASE_URL: url, METRICS_PORT: String(metricsPort), LOG_LEVEL: 'warn' };
    api = await startApi(home, variables, [`--max-old-space-size=${shippedSize.heap}`, ...entryPoint]);
    ada = await aVerifiedUser({ url: api.url, database });
    zone = await aZone(ada);
    await addRules(database, zone);
    for (let count = 0; count < 7; count += 1) {
      const { id } = await aZone(ada);
      await database.none('UPDATE zone_settings SET settings = $2 WHERE zone_id = $1', [
        id,
        JSON.stringify({ ...defaultZoneSettings, ...pages }),
      ]);
    }
    // Revisions of the large zone, to read and compare.
    for (const title of ['one', 'two']) {
      const patched = await ada.patch(`/api/zones/${zone.id}`, {
        zone_settings: { ...pages, customPagesErrorHtml: `${title}${html.slice(3)}` },
      });
      expect(patched.status, patched.text.slice(0, 300)).to.equal(200);
    }
  });
  after(async () => {
    await api?.kill();
    await database?.$pool.end();
    home?.remove();
  });

  const resident = async (): Promise<number> => {
    const text = await (await fetch(metricsUrl)).text();
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20;
  };

  /** Reads from many connections for some seconds; returns the peak in MiB and the statuses. */
  async function flood(path: string) {
    const statuses = new Map<number, number>();
    const end = performance.now() + milliseconds;
    const read = async (): Promise<void> => {
      while (performance.now() < end) {
        const headers = { authorization: `Bearer ${ada.token}`, accept: 'application/json' };
        const reply = await fetch(new URL(path, api.url), { headers });
        await reply.arrayBuffer();
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      }
    };
    const work = Promise.all(Array.from({ length: connections }, read));
    let peak = 0;
    while (performance.now() < end) {
      peak = Math.max(peak, await resident());
      await pause(50);
    }
    await work;
    return { peak: Math.round(peak), statuses: Object.fromEntries(statuses) };
  }

  const reads: readonly (readonly [string, () => string])[] = [
    ['a page of large zones', () => '/api/zones?itemsPerPage=7'],
    ['a large zone', () => `/api/zones/${zone.id}`],
    ['its rules', () => `${rulesOf(zone)}?itemsPerPage=100`],
    ['a revision of it', () => `/api/zones/${zone.id}/revisions/2`],
    ['a comparison of revisions', () => `/api/zones/${zone.id}/revisions/2/diff/3`],
    ['an evaluation', () => `/api/zones/${zone.id}/evaluation?url=https%3A%2F%2Fexample.com%2F`],
    ['findings', () => `/api/zones/${zone.id}/findings`],
  ];
  for (const [what, path] of reads) {
    it(`stays below the limit while one account reads ${what} from ${connections} connections`, async () => {
      const { peak, statuses } = await flood(path());
      process.stdout.write(`      ${what}: ${peak} MiB, ${JSON.stringify(statuses)}\n`);
      expect(api.hasEnded(), api.output().slice(-2000)).to.equal(false);
      expect(peak).to.be.below(shippedSize.limit);
      expect(['200', '503']).to.include.members(Object.keys(statuses));
    });
  }
});

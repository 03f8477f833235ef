import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@zonewright/postgres';
import { expect } from 'chai';
import { type ApiProcess, type Home, makeHome, startApi } from '../faults/support/api-process.ts';
import { aVerifiedUser, aZone, type Place } from '../support/arrange.ts';
import { freshDatabase } from '../support/database.ts';
import { entryPoint } from '../support/entry-point.ts';
import { named, routes } from '../support/route-table.ts';
import { flood, peakMemory, probe, resetPeakMemory, spentPart, type Victims } from './flood.ts';
import { recipes } from './recipes.ts';
import { brokenPromises, lineOf, type Measured, writeReport } from './report.ts';
import { shippedSize } from './shipped-size.ts';
import { type AbusedOrganization, anAttacker, fillOrganization } from './world.ts';

const connections = 24;
const seconds = Number(process.env['ABUSE_SECONDS'] ?? 10);
const scale = { revisions: Number(process.env['ABUSE_REVISIONS'] ?? 200), spareZones: 6, auditEntries: 100_000 };

/** After a flood, what it began ends before the next one is measured. */
const calmMilliseconds = 1000;

/**
 * Run by `pnpm test abuse`: one account floods one route after another of a process of the shipped size, within the
 * default limits, in an organization that has stored as much as it may; `pnpm test abuse -g evaluation` selects routes. A
 * broken promise must be broken twice, because other work on the machine can break it too.
 */
describe(`A flood from ${connections} connections for ${seconds} s`, function () {
  this.timeout(3 * (seconds + 60) * 1000);
  let home: Home;
  let database: Database;
  let workshop: ApiProcess;
  let api: ApiProcess;
  let organization: AbusedOrganization;
  let databaseUrl: string;
  const measurements: Measured[] = [];

  const startShipped = async (): Promise<ApiProcess> => {
    const limits = { RATE_LIMIT_SCALE: '1', WORKERS: '1', TRUSTED_PROXIES: '127.0.0.1' };
    const flags = [`--max-old-space-size=${shippedSize.heap}`, ...profiling];
    return startApi(home, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn', ...limits }, [...flags, ...entryPoint]);
  };

  before(async function () {
    this.timeout(900_000);
    home = makeHome();
    ({ url: databaseUrl, database } = await freshDatabase());
    workshop = await startApi(home, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' });
    const began = performance.now();
    organization = await fillOrganization({ url: workshop.url, database }, scale);
    process.stdout.write(
      `      filled in ${Math.round((performance.now() - began) / 1000)} s: ${await databaseBytes()} bytes\n`,
    );
    api = await startShipped();
  });
  after(async () => {
    if (measurements.length > 0) process.stdout.write(`      ${writeReport(measurements)}\n`);
    await api?.stop();
    await workshop?.kill();
    await database?.$pool.end();
    home?.remove();
  });

  const databaseBytes = async (): Promise<number> =>
    Number((await database.one<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes')).bytes);

  /** New ones for each flood: all floods together take longer than an access token is valid. */
  async function victimsOf(place: Place): Promise<Victims> {
    const asker = await aVerifiedUser(place);
    return { victim: await aVerifiedUser(place), asker, zone: (await aZone(asker)).id };
  }

  async function measure(route: string, method: string): Promise<Measured> {
    if (api.hasEnded()) api = await startShipped();
    const place = { url: workshop.url, database };
    const attacker = await anAttacker(place, organization);
    const next = await recipes[route]?.({ organization, attacker, workshop: place });
    if (next === undefined) throw new Error(`Nobody knows how to flood ${route}.`);
    const victims = await victimsOf(place);
    const before = await databaseBytes();
    resetPeakMemory(api.pid);
    const probes = probe(api.url, victims);
    const target = { url: api.url, method, next };
    const flooded = await flood(target, attacker, { connections, milliseconds: seconds * 1000 });
    const [met, megabytes] = [await probes.stop(), api.hasEnded() ? Number.POSITIVE_INFINITY : peakMemory(api.pid)];
    const minutes = Math.max(seconds / 60, api.hasEnded() ? 0 : await spentPart(api.url, attacker));
    const bytesPerMinute = Math.round(Math.max(0, (await databaseBytes()) - before) / minutes);
    await attacker.leave();
    const [load = 0] = loadavg();
    const measured = { route, flood: flooded, ...met, megabytes, bytesPerMinute, load };
    process.stdout.write(`      ${lineOf(measured)}\n`);
    measurements.push(measured);
    await pause(calmMilliseconds);
    return measured;
  }

  for (const route of routes) {
    it(`of ${named(route)} harms nobody else`, async () => {
      const once = brokenPromises(await measure(named(route), route.method.toUpperCase()), shippedSize.limit);
      if (once.length === 0) return;
      const twice = brokenPromises(await measure(named(route), route.method.toUpperCase()), shippedSize.limit);
      expect(twice, `first: ${once.join('; ')}`).to.deep.equal([]);
    });
  }
});

/** Flags of Node, to find out why a promise is broken. */
const profiling = (process.env['ABUSE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');

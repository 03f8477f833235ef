import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@zonewright/postgres';
import { ask, exchange, jsonRequest, quantile, repeated } from './load.ts';
import { withDatabase } from './preparation.ts';
import type { Environment, Running } from './processes.ts';
import type { Measure } from './report.ts';
import { endOfFeed, SimulatedEdges } from './simulated-edges.ts';
import { sql } from './sql.ts';

const few = 10;
const many = 1000;
const changes = 100;
const changesBesideMany = 5;

/** What measuring the feed needs. */
export interface FeedBench {
  readonly environment: Environment;
  readonly service: Running;
  readonly zone: string;
  readonly token: () => string;
}

/** From the answer to a PATCH until edges have the document, beside 10,000 zones that have host names. */
export async function edgeFeed(bench: FeedBench): Promise<readonly Measure[]> {
  const keys = Array.from({ length: many }, () => `zwe_${randomBytes(32).toString('base64url')}`);
  return withDatabase(bench.environment.databaseUrl, async (database) => {
    await database.none(sql('data/edges'), { hashes: keys.map(hashOf) });
    const publishing = await publishEverything(bench, database);
    return [...publishing, await untilFew(bench, keys), ...(await untilMany(bench, keys))];
  });
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** What the first start after an update does, and how long a probe waits meanwhile. */
async function publishEverything({ environment, service }: FeedBench, database: Database): Promise<readonly Measure[]> {
  await published(database);
  const began = performance.now();
  const probes = probe(service.port);
  // An organization at a time, because of the time limits of statements.
  for (const organization of environment.organizations) await database.none(sql('data/host-names'), [organization]);
  await published(database);
  const seconds = (performance.now() - began) / 1000;
  return [
    { name: 'publishing 10,000 zones', unit: 's', service: seconds, hold: 300 },
    { name: '/healthz meanwhile, p99', unit: 'ms', service: quantile(await probes.end(), 0.99), hold: 100 },
  ];
}

/** Resolves when nothing waits to be published. */
async function published(database: Database): Promise<void> {
  while ((await database.one<{ due: number }>(sql('data/zones-due'))).due > 0) await pause(100);
}

/** Asks for `/healthz` again and again; `end` resolves to the milliseconds that each probe took. */
function probe(port: number) {
  const times: number[] = [];
  const probing = { isOver: false };
  const loop = async () => {
    while (!probing.isOver) {
      const sent = performance.now();
      await exchange(port, { method: 'GET', path: '/healthz', headers: {} });
      times.push(performance.now() - sent);
      await pause(20);
    }
    return times;
  };
  const looping = loop();
  return {
    end: (): Promise<readonly number[]> => {
      probing.isOver = true;
      return looping;
    },
  };
}

/** Renames the zone; resolves to its revision. */
async function rename({ service: { port }, zone, token: current }: FeedBench): Promise<number> {
  const [path, token] = [`/api/zones/${zone}`, current()];
  const body = { name: `renamed ${randomBytes(6).toString('hex')}` };
  await ask(port, jsonRequest('PATCH', path, { token, body }));
  const delivery = jsonRequest('GET', `${path}/delivery`, { token });
  return (await ask<{ readonly revision: number }>(port, delivery)).revision;
}

/** Milliseconds until the given number of edges have a change. */
async function spread(bench: FeedBench, edges: SimulatedEdges, count: number): Promise<number> {
  const began = performance.now();
  await edges.reached(bench.zone, await rename(bench), count);
  return performance.now() - began;
}

async function untilFew(bench: FeedBench, keys: readonly string[]): Promise<Measure> {
  const edges = new SimulatedEdges(bench.service.port);
  const [first = ''] = keys;
  await edges.start(keys.slice(0, few), await endOfFeed(bench.service.port, first));
  const times = await repeated(changes, () => spread(bench, edges, few));
  await edges.stop();
  return { name: 'PATCH until 10 edges have it, p99', unit: 'ms', service: quantile(times, 0.99), hold: 1000 };
}

async function untilMany(bench: FeedBench, keys: readonly string[]): Promise<readonly Measure[]> {
  const edges = new SimulatedEdges(bench.service.port);
  const before = (await bench.service.memory()) ?? 0;
  const [first = ''] = keys;
  await edges.start(keys, await endOfFeed(bench.service.port, first));
  const times = await repeated(changesBesideMany, () => spread(bench, edges, many));
  const more = ((await bench.service.memory()) ?? 0) - before;
  await edges.stop();
  return [
    { name: 'PATCH until 1,000 edges have it, slowest', unit: 'ms', service: Math.max(...times), hold: 3000 },
    { name: 'memory for 1,000 edges', unit: 'MB', service: more, hold: 100 },
  ];
}

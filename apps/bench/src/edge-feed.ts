import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '@zonewright/postgres';
import { exchange, quantile } from './load.ts';
import type { Measure } from './other-measures.ts';
import type { Environment, Running } from './processes.ts';
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
  const database = openDatabase({ url: bench.environment.databaseUrl, connections: 1 });
  const keys = Array.from({ length: many }, () => `zwe_${randomBytes(32).toString('base64url')}`);
  try {
    await database.none(sql('data/edges'), { hashes: keys.map(hashOf) });
    const publishing = await publishEverything(bench, database);
    return [...publishing, await untilFew(bench, keys), ...(await untilMany(bench, keys))];
  } finally {
    await database.$pool.end();
  }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const measure = (name: string, unit: string, service: number, hold: number): Measure => ({
  name,
  unit,
  floor: undefined,
  service,
  judged: service,
  hold,
  aim: hold,
});

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
    measure('publishing 10,000 zones', 's', seconds, 300),
    measure('/healthz meanwhile, p99', 'ms', quantile(await probes.end(), 0.99), 100),
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
async function rename({ service, zone, token }: FeedBench): Promise<number> {
  const text = await exchange(service.port, {
    method: 'PATCH',
    path: `/api/zones/${zone}`,
    headers: {
      Authorization: `Bearer ${token()}`,
      'Content-Type': 'application/merge-patch+json',
      Accept: 'application/json',
    },
    body: JSON.stringify({ name: `renamed ${randomBytes(6).toString('hex')}` }),
    learn: () => undefined,
  });
  if (text === '') throw new Error('The service answered nothing.');
  return revisionOf({ service, zone, token });
}

async function revisionOf({ service, zone, token }: Pick<FeedBench, 'service' | 'zone' | 'token'>): Promise<number> {
  const headers = { Authorization: `Bearer ${token()}`, Accept: 'application/json' };
  const path = `/api/zones/${zone}/delivery`;
  const text = await exchange(service.port, { method: 'GET', path, headers, learn: () => undefined });
  // The service answers as it documents.
  return (JSON.parse(text) as { readonly revision: number }).revision;
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
  const times: number[] = [];
  for (let count = 0; count < changes; count += 1) times.push(await spread(bench, edges, few));
  await edges.stop();
  return measure('PATCH until 10 edges have it, p99', 'ms', quantile(times, 0.99), 1000);
}

async function untilMany(bench: FeedBench, keys: readonly string[]): Promise<readonly Measure[]> {
  const edges = new SimulatedEdges(bench.service.port);
  const before = (await bench.service.memory()) ?? 0;
  const [first = ''] = keys;
  await edges.start(keys, await endOfFeed(bench.service.port, first));
  const times: number[] = [];
  for (let count = 0; count < changesBesideMany; count += 1) times.push(await spread(bench, edges, many));
  const more = ((await bench.service.memory()) ?? 0) - before;
  await edges.stop();
  return [
    measure('PATCH until 1,000 edges have it, slowest', 'ms', Math.max(...times), 3000),
    measure('memory for 1,000 edges', 'MB', more, 100),
  ];
}

/**
 * `pnpm bench`: measures the hot paths of the service relative to a floor in the same run; see docs/performance.md. A
 * regular expression as argument selects works by name. BENCH_ROUNDS and BENCH_SECONDS set the effort.
 */
import { createSecretKey, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTemporaryPostgres } from '@zonewright/dev-postgres';
import { migrate, openDatabase } from '@zonewright/postgres';
import { analysisOfRules } from './analysis.ts';
import { cpuOfChildren, parentOf } from './cpu.ts';
import { type DataSet, fill, freshName, logIn } from './data-set.ts';
import { evaluationOfRules } from './evaluation.ts';
import { flatness } from './flatness.ts';
import { jwt } from './libraries.ts';
import { type Measure, memoryUnderLoad, startTimes, stretchUnderLogins } from './other-measures.ts';
import { type Environment, startFloor, startService } from './processes.ts';
import { comparisonTable, measureTable } from './report.ts';
import { compare, type Effort, type Servers } from './rounds.ts';
import type { Work } from './work.ts';
import { worksOn } from './works.ts';

const effort: Effort = {
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
  seconds: Number(process.env['BENCH_SECONDS'] ?? 2),
};
const filter = new RegExp(process.argv[2] ?? '', 'i');
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const progress = (line: string): void => void process.stderr.write(`${line}\n`);

/** Clean-up steps, run in reverse order at the end. */
const undo: (() => Promise<unknown>)[] = [];

try {
  await run();
} finally {
  for (const each of undo.toReversed()) await each();
}

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-bench-'));
  await chmod(folder, 0o711);
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await openedDatabase();
  const data = await filled(databaseUrl, folder);
  const floorKey = randomBytes(32);
  const environment: Environment = {
    databaseUrl,
    folder,
    floorKey: floorKey.toString('hex'),
    organizations: data.organizations,
  };
  const server = await databaseServer(databaseUrl);
  const servers = {
    floor: await startFloor(environment),
    service: await startService(environment),
    databaseCpu: () => cpuOfChildren(server),
  };
  undo.push(
    () => servers.service.stop(),
    () => servers.floor.stop(),
  );
  const session = { token: '' };
  const renew = async () => void Object.assign(session, await logIn(servers.service.port));
  await renew();
  const works = await worksOn({
    data,
    floorToken: jwt.sign({ sub: data.userId }, createSecretKey(floorKey), { algorithm: 'HS256', expiresIn: 86_400 }),
    serviceToken: () => session.token,
    servicePort: servers.service.port,
    floorPort: servers.floor.port,
  });
  const found = await comparisons(servers, works, renew);
  if (found.length > 0) say(`\n${comparisonTable(found)}`);
  const measures = await otherMeasures(environment, servers, works, renew);
  if (measures.length > 0) say(`\n${measureTable(measures)}`);
}

/** Creates a database on the server in DATABASE_URL, or on a temporary server. */
async function openedDatabase(): Promise<string> {
  const serverUrl = process.env['DATABASE_URL'];
  if (serverUrl === undefined) {
    const server = await startTemporaryPostgres();
    undo.push(() => server.stop());
    return server.url;
  }
  const name = freshName();
  const maintenance = openDatabase({ url: serverUrl, connections: 1 });
  await maintenance.none(`CREATE DATABASE ${name}`);
  undo.push(async () => {
    await maintenance.none(`DROP DATABASE ${name} WITH (FORCE)`);
    await maintenance.$pool.end();
  });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** The server process whose children handle the database connections. */
async function databaseServer(url: string): Promise<number | undefined> {
  const database = openDatabase({ url, connections: 1 });
  try {
    const { backend } = await database.one<{ backend: number }>('SELECT pg_backend_pid() AS backend');
    return await parentOf(backend);
  } finally {
    await database.$pool.end();
  }
}

async function filled(databaseUrl: string, folder: string): Promise<DataSet> {
  progress('filling the database');
  await migrate(databaseUrl);
  const service = await startService({ databaseUrl, folder, floorKey: '', organizations: [] });
  const database = openDatabase({ url: databaseUrl, connections: 1 });
  try {
    return await fill(database, service.port);
  } finally {
    await database.$pool.end();
    await service.stop();
  }
}

async function comparisons(servers: Servers, works: readonly Work[], renew: () => Promise<void>) {
  const found = [];
  for (const work of works.filter(({ name }) => filter.test(name))) {
    progress(`measuring: ${work.name}`);
    await renew();
    const comparison = await compare(servers, work, effort);
    progress(`  ${comparison.ratio.toFixed(2)}`);
    found.push({ work, comparison });
  }
  return found;
}

async function otherMeasures(
  environment: Environment,
  servers: Servers,
  works: readonly Work[],
  renew: () => Promise<void>,
): Promise<readonly Measure[]> {
  const named = (name: string): Work => {
    const work = works.find((each) => each.name === name);
    if (work === undefined) throw new Error(`There is no work "${name}".`);
    return work;
  };
  const list = named('list of 30 zones by name');
  const measures: Readonly<Record<string, () => Promise<Measure | readonly Measure[]>>> = {
    'p99 stretch': () => stretchUnderLogins(servers, list, named('login'), effort),
    start: () => startTimes(environment),
    memory: () => memoryUnderLoad(environment, named('users/me')),
    rules: evaluationOfRules,
    analysis: async () => {
      const [reader] = list.service;
      return reader === undefined ? [] : analysisOfRules(environment, servers.service, reader, effort);
    },
    flatness: () => flatness(servers, environment.databaseUrl, list, effort),
  };
  const found: Measure[] = [];
  for (const [name, measure] of Object.entries(measures)) {
    if (!filter.test(name)) continue;
    progress(`measuring: ${name}`);
    await renew();
    found.push(...[await measure()].flat());
  }
  return found;
}

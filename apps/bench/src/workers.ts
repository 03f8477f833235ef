/**
 * `pnpm bench:workers`: compares the same request mixes against one process and against one per core, in turns. Load
 * generator and database share the cores, so it also prints how busy each keeps them. BENCH_WORKERS sets other numbers
 * of processes (`1,2,4`); BENCH_ROUNDS and BENCH_SECONDS set the effort.
 */
import { availableParallelism } from 'node:os';
import type { Cpu } from './cpu.ts';
import { load, median, quantile, type Source } from './load.ts';
import { openSession, type Undo, withPreparation } from './preparation.ts';
import { type Environment, type Running, startFloor, startService } from './processes.ts';
import { table } from './report.ts';
import { warmUp } from './rounds.ts';
import { type Work, workNamed } from './work.ts';
import { worksOn } from './works.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5);
const counts = (process.env['BENCH_WORKERS'] ?? `1,${Math.max(2, availableParallelism())}`).split(',').map(Number);

/** Works by name, with their share of a connection's requests. */
type Mix = readonly (readonly [work: string, share: number])[];

const reading: Mix = [
  ['one zone with 100 things inside, unchanged', 5],
  ['list of 30 zones by name', 2],
  ['users/me', 2],
];
const writing: Mix = [['rule patch without move', 1]];
const mixes: Readonly<Record<string, Mix>> = {
  reads: reading,
  'nine reads, one write': [...reading, ...writing],
  writes: writing,
};

/** The service with a number of processes. */
type Candidate = Awaited<ReturnType<typeof started>>;
/** One period of load. Processor time is in microseconds per request, and in busy cores. */
type Period = Awaited<ReturnType<typeof turn>>;

await withPreparation(async ({ environment, data, floorToken, databaseCpu }, undo) => {
  const floor = await startFloor(environment);
  undo.push(() => floor.stop());
  const candidates: Candidate[] = [];
  for (const workers of counts) candidates.push(await started(environment, workers, undo));
  const [first] = candidates;
  if (first === undefined) return;
  const { token: serviceToken, renew } = await openSession(first.service.port);
  const ports = { servicePort: first.service.port, floorPort: floor.port };
  const works = await worksOn({ data, floorToken, serviceToken, ...ports });
  const rows: string[][] = [];
  for (const [name, mix] of Object.entries(mixes)) {
    process.stderr.write(`measuring: ${name}\n`);
    await renew();
    rows.push(...(await measured(name, sourcesOf(mix, works), candidates, databaseCpu)));
  }
  const head = ['mix', 'processes', 'req/s', 'median ms', 'p99 ms', 'CPU µs', 'cores busy', 'by the load'];
  process.stdout.write(`\n${table(head, rows)}\nCPU and cores: service + database.\n`);
});

async function started(environment: Environment, workers: number, undo: Undo) {
  const service = await startService(environment, workers);
  undo.push(() => service.stop());
  return { workers, service };
}

/** Each connection cycles through the requests of its mix. */
function sourcesOf(mix: Mix, works: readonly Work[]): readonly Source[] {
  const sources = mix.flatMap(([name, share]) => {
    const { service } = workNamed(works, name);
    return Array.from({ length: share }, () => service);
  });
  const connections = Math.min(...sources.map(({ length }) => length));
  return Array.from({ length: connections }, (_, connection) => {
    // Connections start at different offsets, so that not all write at the same time.
    let sent = connection;
    return () => {
      const next = sources[sent % sources.length]?.[connection];
      if (next === undefined) throw new Error('A mix has no requests.');
      sent += 1;
      return next();
    };
  });
}

/** A row per candidate. Candidates alternate, so that noise affects all of them. */
async function measured(
  name: string,
  sources: readonly Source[],
  candidates: readonly Candidate[],
  databaseCpu: Cpu,
): Promise<string[][]> {
  const turns = candidates.map((): Period[] => []);
  for (const { service } of candidates) await warmUp(service.port, sources);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { service }] of candidates.entries())
      turns[index]?.push(await turn(service, sources, databaseCpu));
  }
  return candidates.map(({ workers }, index) => rowOf(name, workers, turns[index] ?? []));
}

async function turn(service: Running, sources: readonly Source[], databaseCpu: Cpu) {
  const spent = async () => {
    const { user, system } = process.cpuUsage();
    return { service: await service.cpu(), database: await databaseCpu(), load: user + system };
  };
  const [before, began] = [await spent(), performance.now()];
  const { rate, milliseconds } = await load(service.port, sources, seconds);
  const [after, elapsed] = [await spent(), (performance.now() - began) * 1000];
  const of = (part: keyof typeof before, whole: number) => (after[part] - before[part]) / whole;
  return {
    rate,
    median: median(milliseconds),
    p99: quantile(milliseconds, 0.99),
    perRequest: { service: of('service', milliseconds.length), database: of('database', milliseconds.length) },
    cores: { service: of('service', elapsed), database: of('database', elapsed), load: of('load', elapsed) },
  };
}

/** Medians of all turns. */
function rowOf(name: string, workers: number, turns: readonly Period[]): string[] {
  const of = (value: (turn: Period) => number, digits: number) => median(turns.map(value)).toFixed(digits);
  return [
    name,
    String(workers),
    of(({ rate }) => rate, 0),
    of((each) => each.median, 1),
    of(({ p99 }) => p99, 1),
    `${of(({ perRequest }) => perRequest.service, 0)} + ${of(({ perRequest }) => perRequest.database, 0)}`,
    `${of(({ cores }) => cores.service, 2)} + ${of(({ cores }) => cores.database, 2)}`,
    of(({ cores }) => cores.load, 2),
  ];
}

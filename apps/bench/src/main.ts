/**
 * `pnpm bench`: measures the hot paths of the service relative to a floor in the same run; see docs/performance.md. A
 * regular expression as argument selects measurements by name. BENCH_ROUNDS and BENCH_SECONDS set the effort.
 */
import { edgeBesideProxy } from './edge.ts';
import { edgeFeed } from './edge-feed.ts';
import { openSession, withPreparation } from './preparation.ts';
import { startFloor, startService } from './processes.ts';
import { comparisonTable, type Measure, measureTable } from './report.ts';
import { compare, type Effort } from './rounds.ts';
import { memoryUnderLoad, startTimes } from './start-and-memory.ts';
import { ownAccount, worksOn } from './works.ts';

const effort: Effort = {
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
  seconds: Number(process.env['BENCH_SECONDS'] ?? 2),
};
const filter = new RegExp(process.argv[2] ?? '', 'i');
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const progress = (line: string): void => void process.stderr.write(`${line}\n`);

await withPreparation(async ({ environment, data, floorToken, databaseCpu }, undo) => {
  const servers = { floor: await startFloor(environment), service: await startService(environment), databaseCpu };
  undo.push(
    () => servers.service.stop(),
    () => servers.floor.stop(),
  );
  const { floor, service } = servers;
  const { token: serviceToken, renew } = await openSession(service.port);
  const stage = { data, floorToken, serviceToken, servicePort: service.port, floorPort: floor.port };
  const comparisons = [];
  for (const work of (await worksOn(stage)).filter(({ name }) => filter.test(name))) {
    progress(`measuring: ${work.name}`);
    await renew();
    comparisons.push({ work, comparison: await compare(servers, work, effort) });
  }
  if (comparisons.length > 0) say(`\n${comparisonTable(comparisons)}`);
  const others: Readonly<Record<string, () => Promise<readonly Measure[]>>> = {
    start: () => startTimes(environment),
    memory: () => memoryUnderLoad(environment, ownAccount(stage)),
    edge: () => edgeBesideProxy(environment, effort),
    'edge feed': () => edgeFeed({ environment, service, zone: data.zone, token: serviceToken }),
  };
  const measures: Measure[] = [];
  for (const [name, measure] of Object.entries(others).filter(([each]) => filter.test(each))) {
    progress(`measuring: ${name}`);
    await renew();
    measures.push(...(await measure()));
  }
  if (measures.length > 0) say(`\n${measureTable(measures)}`);
});

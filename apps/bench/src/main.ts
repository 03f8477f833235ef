/**
 * `pnpm bench`: measures the hot paths of the service relative to a floor in the same run; see docs/performance.md. A
 * regular expression as argument selects works by name. BENCH_ROUNDS and BENCH_SECONDS set the effort.
 */
import { analysisOfRules } from './analysis.ts';
import { edgeBesideProxy } from './edge.ts';
import { edgeFeed } from './edge-feed.ts';
import { evaluationOfRules } from './evaluation.ts';
import { flatness } from './flatness.ts';
import { type Measure, memoryUnderLoad, startTimes, stretchUnderLogins } from './other-measures.ts';
import { openSession, withPreparation } from './preparation.ts';
import { type Environment, startFloor, startService } from './processes.ts';
import { comparisonTable, measureTable } from './report.ts';
import { compare, type Effort, type Servers } from './rounds.ts';
import { type Work, workNamed } from './work.ts';
import { worksOn } from './works.ts';

const effort: Effort = {
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
  seconds: Number(process.env['BENCH_SECONDS'] ?? 2),
};
const filter = new RegExp(process.argv[2] ?? '', 'i');
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const progress = (line: string): void => void process.stderr.write(`${line}\n`);

await withPreparation(async ({ environment, data, floorToken, databaseCpu }, undo) => {
  const servers = {
    floor: await startFloor(environment),
    service: await startService(environment),
    databaseCpu,
  };
  undo.push(
    () => servers.service.stop(),
    () => servers.floor.stop(),
  );
  const { token: serviceToken, renew } = await openSession(servers.service.port);
  const works = await worksOn({
    data,
    floorToken,
    serviceToken,
    servicePort: servers.service.port,
    floorPort: servers.floor.port,
  });
  const found = await comparisons(servers, works, renew);
  if (found.length > 0) say(`\n${comparisonTable(found)}`);
  const edges = () => edgeFeed({ environment, service: servers.service, zone: data.zone, token: serviceToken });
  const measures = await otherMeasures(environment, servers, works, { renew, edges });
  if (measures.length > 0) say(`\n${measureTable(measures)}`);
});

async function comparisons(servers: Servers, works: readonly Work[], renew: () => Promise<void>) {
  const results = [];
  for (const work of works.filter(({ name }) => filter.test(name))) {
    progress(`measuring: ${work.name}`);
    await renew();
    const comparison = await compare(servers, work, effort);
    progress(`  ${comparison.ratio.toFixed(2)}`);
    results.push({ work, comparison });
  }
  return results;
}

async function otherMeasures(
  environment: Environment,
  servers: Servers,
  works: readonly Work[],
  { renew, edges }: { readonly renew: () => Promise<void>; readonly edges: () => Promise<readonly Measure[]> },
): Promise<readonly Measure[]> {
  const list = workNamed(works, 'list of 30 zones by name');
  const measures: Readonly<Record<string, () => Promise<Measure | readonly Measure[]>>> = {
    'p99 stretch': () => stretchUnderLogins(servers, list, workNamed(works, 'login'), effort),
    start: () => startTimes(environment),
    memory: () => memoryUnderLoad(environment, workNamed(works, 'users/me')),
    rules: evaluationOfRules,
    edge: () => edgeBesideProxy(environment, effort),
    analysis: async () => {
      const [reader] = list.service;
      return reader === undefined ? [] : analysisOfRules(environment, servers.service, reader, effort);
    },
    'edge feed': edges,
    flatness: () => flatness(servers, environment.databaseUrl, list, effort),
  };
  const results: Measure[] = [];
  for (const [name, measure] of Object.entries(measures)) {
    if (!filter.test(name)) continue;
    progress(`measuring: ${name}`);
    await renew();
    results.push(...[await measure()].flat());
  }
  return results;
}

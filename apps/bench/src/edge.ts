import { load, median, repeated, type Source } from './load.ts';
import { type Environment, type Running, startEdgeParts } from './processes.ts';
import type { Measure } from './report.ts';
import type { Effort } from './rounds.ts';

/** A browser's request. */
const source: Source = () => ({
  method: 'GET',
  path: '/blog/2024/17-a-long-title-of-a-post?page=2',
  headers: {
    Host: 'www.example.com',
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Language': 'en-GB,en;q=0.5',
    'Accept-Encoding': 'gzip, deflate, br',
    Cookie: 'session=0123456789abcdef; lang=en; theme=dark',
  },
});
const connections = 16;

/** Requests per second, and microseconds of processor time for each. */
async function round(server: Running, seconds: number) {
  const before = await server.cpu();
  const { rate, milliseconds } = await load(server.port, Array(connections).fill(source), seconds);
  return { rate, cpu: ((await server.cpu()) - before) / milliseconds.length };
}

/** An edge with a zone of 100 rules beside a proxy that only passes requests on: wanted is 0.6 of its throughput. */
export async function edgeBesideProxy(environment: Environment, effort: Effort): Promise<readonly Measure[]> {
  const { origin, floor, edge } = await startEdgeParts(environment);
  // The first round warms up.
  const [, ...rounds] = await repeated(1 + effort.rounds, async () => ({
    floor: await round(floor, effort.seconds),
    edge: await round(edge, effort.seconds),
  }));
  await Promise.all([origin, floor, edge].map((each) => each.stop()));
  const of = (server: 'floor' | 'edge', figure: 'rate' | 'cpu') => median(rounds.map((each) => each[server][figure]));
  const ratio = (figure: 'rate' | 'cpu') => median(rounds.map((each) => each.edge[figure] / each.floor[figure]));
  const hold = 1 / 0.6;
  return [
    {
      name: 'edge, 100 rules, throughput',
      unit: 'req/s',
      floor: of('floor', 'rate'),
      service: of('edge', 'rate'),
      judged: 1 / ratio('rate'),
      hold,
    },
    {
      name: 'edge, 100 rules, processor',
      unit: 'µs',
      floor: of('floor', 'cpu'),
      service: of('edge', 'cpu'),
      judged: ratio('cpu'),
      hold,
    },
  ];
}

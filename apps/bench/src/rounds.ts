import { exchange, load, median, repeated, type Source } from './load.ts';
import type { Running } from './processes.ts';
import type { Work } from './works.ts';

/** Duration and number of rounds per side. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
}

/** Microseconds per request; unaffected by other processes. */
export interface CpuTime {
  readonly server: number;
  readonly database: number;
}

/** Both servers, and the processor time of their shared database. */
export interface Servers {
  readonly floor: Running;
  readonly service: Running;
  readonly databaseCpu: () => Promise<number>;
}

/** Alternates between floor and service, so that noise affects both. Resolves to medians of all rounds. */
export async function compare(servers: Servers, work: Work, effort: Effort) {
  const { floor, service } = servers;
  if (work.isSame) await requireSameBytes(servers, work);
  await warmUp(floor.port, work.floor);
  await warmUp(service.port, work.service);
  const pairs = await repeated(effort.rounds, async () => ({
    floor: await turn(servers, floor, work.floor, effort),
    service: await turn(servers, service, work.service, effort),
  }));
  const [floors, services] = [pairs.map((pair) => pair.floor), pairs.map((pair) => pair.service)];
  return {
    floorRate: median(floors.map(({ rate }) => rate)),
    serviceRate: median(services.map(({ rate }) => rate)),
    /** Of the rounds: noise that affects both sides of one cancels out. */
    ratio: median(pairs.map((pair) => pair.service.rate / pair.floor.rate)),
    floorCpu: mediansOf(floors),
    serviceCpu: mediansOf(services),
  };
}

/** What `compare` measures. */
export type Comparison = Awaited<ReturnType<typeof compare>>;

/** Requests after which JIT compilation has settled, whatever the machine's speed; at most `seconds`. */
const warm = { requests: 3000, seconds: 12 } as const;

/** Sends requests until the server's code is compiled. */
async function warmUp(port: number, sources: readonly Source[]): Promise<void> {
  let requests = 0;
  for (let second = 0; second < warm.seconds && requests < warm.requests; second += 1) {
    requests += (await load(port, sources, 1)).milliseconds.length;
  }
}

const mediansOf = (turns: readonly CpuTime[]): CpuTime => ({
  server: median(turns.map(({ server }) => server)),
  database: median(turns.map(({ database }) => database)),
});

/** Keeps a server busy once; processor time is that of a request. */
async function turn(
  { databaseCpu }: Servers,
  server: Running,
  sources: readonly Source[],
  { seconds }: Effort,
): Promise<CpuTime & { readonly rate: number }> {
  const before = { server: await server.cpu(), database: await databaseCpu() };
  const { rate, milliseconds } = await load(server.port, sources, seconds);
  return {
    rate,
    server: ((await server.cpu()) - before.server) / milliseconds.length,
    database: ((await databaseCpu()) - before.database) / milliseconds.length,
  };
}

/** Guards against a floor that does less than the service. */
async function requireSameBytes({ floor, service }: Servers, work: Work): Promise<void> {
  const bodyFrom = (port: number, [source]: readonly Source[]): Promise<string> => {
    if (source === undefined) throw new Error(`${work.name} sends nothing.`);
    return exchange(port, { ...source(), learn: () => undefined });
  };
  const [expected, actual] = [await bodyFrom(floor.port, work.floor), await bodyFrom(service.port, work.service)];
  const [ofFloor, ofService] = [withoutBanTokens(expected), withoutBanTokens(actual)];
  if (ofFloor === ofService) return;
  let place = 0;
  while (ofFloor[place] === ofService[place]) place += 1;
  const shown = (text: string) => text.slice(Math.max(0, place - 100), place + 100);
  throw new Error(`${work.name}: floor and service answer differently.\n${shown(ofFloor)}\n${shown(ofService)}`);
}

/** The floor sends the stored hash of a ban token, which is as long. */
const withoutBanTokens = (body: string): string => body.replaceAll(/"banToken":"[^"]{40}"/g, '');

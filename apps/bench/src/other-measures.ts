import { setTimeout as pause } from 'node:timers/promises';
import { load, median, repeated, type Source } from './load.ts';
import { type Environment, type Running, startFloor, startService } from './processes.ts';
import { type Effort, type Servers, stretchBeside } from './rounds.ts';
import type { Work } from './work.ts';

/** A measurement other than throughput: the floor's and the service's value, and the limits. */
export interface Measure {
  readonly name: string;
  readonly unit: string;
  readonly floor?: number | undefined;
  readonly service: number;
  /** Compared with `hold`, lower is better: the value by default, or its multiple of the floor's. */
  readonly judged?: number;
  readonly hold: number;
}

/** How much longer the 99th percentile of one user's list takes while eight others log in. */
export async function stretchUnderLogins(servers: Servers, list: Work, login: Work, effort: Effort): Promise<Measure> {
  const stretchOf = ({ port }: Running, reading: readonly Source[], signingIn: readonly Source[]) =>
    stretchBeside(port, reading.slice(0, 1), signingIn, effort);
  const floor = await stretchOf(servers.floor, list.floor, login.floor);
  const service = await stretchOf(servers.service, list.service, login.service);
  return { name: 'p99 of a list beside 8 logins', unit: 'times', floor, service, hold: 1.8 };
}

const starts = 5;

/** Time from process start to the first successful readiness probe, with a migrated database. */
export async function startTimes(environment: Environment): Promise<Measure> {
  const timeOf = async (start: (environment: Environment) => Promise<Running>) => {
    const running = await start(environment);
    await running.stop();
    return running.startMilliseconds;
  };
  const pairs = await repeated(starts, async () => ({
    floor: await timeOf(startFloor),
    service: await timeOf(startService),
  }));
  const [floor, service] = [median(pairs.map((each) => each.floor)), median(pairs.map((each) => each.service))];
  return { name: 'start to ready', unit: 'ms', floor, service, judged: service / floor, hold: 3 };
}

/** Seconds after readiness, when all startup work has finished. */
const idleSeconds = 3;
const requests = Number(process.env['BENCH_REQUESTS'] ?? 100_000);

/** Resident memory of an idle new process, and after many requests. */
export async function memoryUnderLoad(environment: Environment, work: Work): Promise<readonly Measure[]> {
  const memoryOf = async (start: (environment: Environment) => Promise<Running>, sources: readonly Source[]) => {
    const running = await start(environment);
    await pause(idleSeconds * 1000);
    const idle = await running.memory();
    let done = 0;
    while (done < requests) done += (await load(running.port, sources, 1)).milliseconds.length;
    const after = await running.memory();
    await running.stop();
    return { idle, after };
  };
  const floor = await memoryOf(startFloor, work.floor);
  const service = await memoryOf(startService, work.service);
  if (service.idle === undefined || service.after === undefined) return [];
  const { idle, after } = service;
  const count = requests.toLocaleString('en');
  return [
    { name: 'memory idle', unit: 'MB', floor: floor.idle, service: idle, hold: 115 },
    { name: `memory after ${count} requests`, unit: 'MB', floor: floor.after, service: after, hold: 150 },
  ];
}

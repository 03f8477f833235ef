import { setTimeout as pause } from 'node:timers/promises';
import { load, median, repeated, type Source } from './load.ts';
import { type Environment, type Running, startFloor, startService } from './processes.ts';
import type { Measure } from './report.ts';
import type { Work } from './works.ts';

const starts = 5;

/** Time from process start to the first successful readiness probe, with a migrated database. */
export async function startTimes(environment: Environment): Promise<readonly Measure[]> {
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
  return [{ name: 'start to ready', unit: 'ms', floor, service, judged: service / floor, hold: 3 }];
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

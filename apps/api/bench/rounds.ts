import { exchange, load, median, type Source } from './load.ts';
import type { Running } from './processes.ts';
import type { Work } from './work.ts';

/** How long and how often each side is measured. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
}

/** Medians of all rounds. */
export interface Comparison {
  readonly floorRate: number;
  readonly serviceRate: number;
  /** Of the ratios of each round: what disturbs both sides of a round leaves it alone. */
  readonly ratio: number;
}

export interface Servers {
  readonly floor: Running;
  readonly service: Running;
}

/** Floor and service take turns, so that a noisy machine is noisy to both. */
export async function compare({ floor, service }: Servers, work: Work, effort: Effort): Promise<Comparison> {
  if (work.isSame) await requireSameBytes({ floor, service }, work);
  await load(floor.port, work.floor, 1);
  await load(service.port, work.service, 1);
  const pairs: { readonly floor: number; readonly service: number }[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    const floorRate = (await load(floor.port, work.floor, effort.seconds)).rate;
    const serviceRate = (await load(service.port, work.service, effort.seconds)).rate;
    pairs.push({ floor: floorRate, service: serviceRate });
  }
  return {
    floorRate: median(pairs.map((pair) => pair.floor)),
    serviceRate: median(pairs.map((pair) => pair.service)),
    ratio: median(pairs.map((pair) => pair.service / pair.floor)),
  };
}

/** A floor that answers something else would be the floor of something else. */
async function requireSameBytes({ floor, service }: Servers, work: Work): Promise<void> {
  const bodyFrom = (port: number, [source]: readonly Source[]): Promise<string> => {
    if (source === undefined) throw new Error(`${work.name} sends nothing.`);
    return exchange(port, { ...source(), learn: () => undefined });
  };
  const [expected, actual] = [await bodyFrom(floor.port, work.floor), await bodyFrom(service.port, work.service)];
  if (expected !== actual)
    throw new Error(`${work.name}: floor and service answer differently.\n${expected}\n${actual}`);
}

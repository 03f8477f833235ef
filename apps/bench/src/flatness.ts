/** Shows that the cost of a list depends on its page, not on the number of zones in other organizations. */
import { type Database, openDatabase } from '@zonewright/postgres';
import { load, median } from './load.ts';
import type { Measure } from './other-measures.ts';
import type { Effort, Servers } from './rounds.ts';
import { sql } from './sql.ts';
import type { Work } from './work.ts';

const foreignZones = [100, 10_000, 100_000] as const;
const part = 5000;

/** Changes zones of other organizations, so it must be the last measurement on a database. */
export async function flatness(
  { service, databaseCpu }: Servers,
  databaseUrl: string,
  list: Work,
  { rounds, seconds }: Effort,
): Promise<readonly Measure[]> {
  const database = openDatabase({ url: databaseUrl, connections: 1 });
  const measures: Measure[] = [];
  try {
    for (const count of foreignZones) {
      await makeForeignZones(database, count);
      await load(service.port, list.service, seconds);
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const before = (await service.cpu()) + (await databaseCpu());
        const { milliseconds } = await load(service.port, list.service, seconds);
        times.push(((await service.cpu()) + (await databaseCpu()) - before) / milliseconds.length);
      }
      const time = median(times);
      measures.push({
        name: `list of 30 beside ${count.toLocaleString('en')} foreign zones`,
        unit: 'CPU µs',
        floor: undefined,
        service: time,
        judged: time / (measures[0]?.service ?? time),
        hold: 1.1,
        aim: 1.05,
      });
    }
  } finally {
    await database.$pool.end();
  }
  return measures;
}

async function makeForeignZones(database: Database, count: number): Promise<void> {
  for (;;) {
    const { zones } = await database.one<{ zones: number }>(sql('data/foreign-zones'));
    if (zones === count) break;
    const change = zones > count ? 'data/remove-foreign-zones' : 'data/add-foreign-zones';
    await database.none(sql(change), [Math.min(part, Math.abs(zones - count))]);
  }
  for (const table of ['zones', 'zone_settings', 'zone_tallies'])
    await database.none('VACUUM ANALYZE $1:name', [table]);
}

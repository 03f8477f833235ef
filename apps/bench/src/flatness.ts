/** Shows that the cost of a list depends on its page, not on the number of zones in other organizations. */
import type { Database } from '@zonewright/postgres';
import { load, median, repeated } from './load.ts';
import type { Measure } from './other-measures.ts';
import { withDatabase } from './preparation.ts';
import { type Effort, type Servers, turn } from './rounds.ts';
import { sql } from './sql.ts';
import type { Work } from './work.ts';

const foreignZones = [100, 10_000, 100_000] as const;
const part = 5000;

/** Changes zones of other organizations, so it must be the last measurement on a database. */
export const flatness = (
  servers: Servers,
  databaseUrl: string,
  list: Work,
  effort: Effort,
): Promise<readonly Measure[]> =>
  withDatabase(databaseUrl, async (database) => {
    const measures: Measure[] = [];
    for (const count of foreignZones) {
      await makeForeignZones(database, count);
      await load(servers.service.port, list.service, effort.seconds);
      const turns = await repeated(effort.rounds, () => turn(servers, servers.service, list.service, effort));
      const service = median(turns.map(({ server, database: own }) => server + own));
      const judged = service / (measures[0]?.service ?? service);
      const name = `list of 30 beside ${count.toLocaleString('en')} foreign zones`;
      measures.push({ name, unit: 'CPU µs', service, judged, hold: 1.1 });
    }
    return measures;
  });

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

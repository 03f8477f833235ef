import { cleanUp, cutBack } from '@zonewright/postgres';
import type { Installation } from '../installation.ts';
import type { Report } from '../report.ts';

/** Removes all that has expired or is not kept any more, as the service does bit by bit. */
export async function cleanUpAll({ database, config }: Installation): Promise<Report> {
  let deleted = 0;
  let found: number;
  do {
    found = await cleanUp(database);
    deleted += found;
  } while (found > 0);
  while (await cutBack(database, config.retention));
  return { json: { expired: deleted }, lines: [`Nothing is left to be removed. ${deleted} expired rows are gone.`] };
}

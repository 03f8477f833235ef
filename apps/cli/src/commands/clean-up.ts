import { sealBanTokens } from '@zonewright/postgres';
import { applyRetention, postgresExpiry } from '@zonewright/postgres-operations';
import type { Installation } from '../installation.ts';
import type { Report } from '../report.ts';

/** Deletes everything expired or beyond its retention at once; the service does it in batches. */
export async function cleanUpAll({ database, boxes, config }: Installation): Promise<Report> {
  const expiry = postgresExpiry(database);
  let deleted = 0;
  let found: number;
  do {
    found = await expiry.removeExpired();
    deleted += found;
  } while (found > 0);
  while (await applyRetention(database, config.retention));
  while (await sealBanTokens(database, boxes.banTokens));
  return { json: { expired: deleted }, lines: [`Deleted ${deleted} expired rows; none are left.`] };
}

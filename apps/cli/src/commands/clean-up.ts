import { applyRetention, postgresExpiry } from '@zonewright/postgres-operations';
import { CommandFailure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import type { Report } from '../report.ts';

/**
 * Deletes everything expired or beyond its retention at once; the service does it in batches. A kind whose batch fails
 * is reported at the end.
 */
export async function cleanUpAll({ database, config }: Installation): Promise<Report> {
  const failures = new Map<string, string>();
  const onFailure = (batch: string, failure: unknown) =>
    void failures.set(batch, failure instanceof Error ? failure.message : String(failure));
  const expiry = postgresExpiry(database, onFailure);
  let deleted = 0;
  let found: number;
  do {
    found = await expiry.removeExpired();
    deleted += found;
  } while (found > 0);
  while (await applyRetention(database, config.retention, onFailure));
  if (failures.size > 0) {
    const lines = [...failures].map(([batch, message]) => `${batch}: ${message}`);
    throw new CommandFailure([`Deleted ${deleted} expired rows, but not all:`, ...lines]);
  }
  return { json: { expired: deleted }, lines: [`Deleted ${deleted} expired rows; none are left.`] };
}

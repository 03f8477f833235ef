import { pendingMigrations, migrate as runMigrations } from '@zonewright/postgres';
import type { Deployment } from '../installation.ts';
import type { Report } from '../report.ts';

/** Migrates the schema, as the service does at startup. */
export async function migrate({ directUrl }: Deployment): Promise<Report> {
  const applied = await pendingMigrations(directUrl);
  await runMigrations(directUrl);
  const lines = applied.length === 0 ? ['The schema is up to date.'] : applied.map((name) => `applied ${name}`);
  return { json: { applied }, lines };
}

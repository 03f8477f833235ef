import { type Config, StartupError } from '@zonewright/configuration';
import { migrate, pendingMigrations } from '@zonewright/postgres';
import { missingSettings } from '@zonewright/postgres-operations';
import type { PostgresStorageOptions } from './storage.ts';

/**
 * Migrates the database over a direct connection, once the service is known to reach it with the settings that sessions
 * need. Rejects with `StartupError` for errors that the operator can fix.
 */
export async function migrated({
  databaseUrl,
  config: { databaseDirectUrl, databasePooler },
}: Pick<PostgresStorageOptions, 'databaseUrl'> & {
  readonly config: Pick<Config, 'databaseDirectUrl' | 'databasePooler'>;
}): Promise<void> {
  const missing = await missingSettings(databaseUrl, databasePooler).catch(unusable('DATABASE_URL'));
  if (missing.length > 0) throw new StartupError([settingsMissing, ...missing]);
  const isDirect = databaseDirectUrl === undefined;
  await migrate(databaseDirectUrl ?? databaseUrl).catch(unusable(isDirect ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'));
  if (isDirect) return;
  const pending = await pendingMigrations(databaseUrl).catch(unusable('DATABASE_URL'));
  if (pending.length > 0)
    throw new StartupError(['DATABASE_DIRECT_URL: points to a different database than DATABASE_URL']);
}

const settingsMissing =
  'DATABASE_POOLER: a pooler does not pass settings on. Give them to the role, then let the pooler reconnect:';

const unusable =
  (variable: string) =>
  (failure: unknown): never => {
    const reason =
      failure instanceof Error ? failure.message || ('code' in failure ? String(failure.code) : '') : String(failure);
    const hint = reason.includes('startup parameter') ? '; DATABASE_POOLER says that there is a pooler' : '';
    throw new StartupError([`${variable}: the database cannot be used (${reason})${hint}`], { cause: failure });
  };

import { StartupError } from '@zonewright/configuration';
import { migrate, type Pooler, pendingMigrations } from '@zonewright/postgres';
import { equipForPooler, poolerBefore } from '@zonewright/postgres-operations';
import { onlyProcess } from './processes/process-slot.ts';
import { type PostgresStorageOptions, postgresStorage, type Storage } from './storage.ts';

/**
 * Migrates the database over a direct connection, and checks that the service will reach the same database. Rejects
 * with `StartupError` for errors that the operator can fix.
 */
export async function migrated({
  databaseUrl,
  databaseDirectUrl,
}: Pick<PostgresStorageOptions, 'databaseUrl'> & {
  readonly databaseDirectUrl: string | undefined;
}): Promise<void> {
  const isDirect = databaseDirectUrl === undefined;
  await migrate(databaseDirectUrl ?? databaseUrl).catch(unusable(isDirect ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'));
  if (isDirect) return;
  const pending = await pendingMigrations(databaseUrl).catch(unusable('DATABASE_URL'));
  if (pending.length > 0)
    throw new StartupError(['DATABASE_DIRECT_URL: points to a different database than DATABASE_URL']);
}

/**
 * Detects a pooler in front of the database over a separate connection. Rejects with `StartupError` if the database is
 * unreachable.
 */
export const detectedPooler = ({
  databaseUrl,
}: Pick<PostgresStorageOptions, 'databaseUrl'>): Promise<Pooler | undefined> =>
  poolerBefore(databaseUrl).catch(unusable('DATABASE_URL'));

/**
 * Opens the storage of a migrated database, directly or through a pooler. Rejects with `StartupError` if it is
 * unreachable.
 */
export async function openedStorage(options: PostgresStorageOptions): Promise<Storage> {
  const { databaseUrl, pooler, log, slot = onlyProcess } = options;
  if (pooler !== undefined) await equipForPooler(databaseUrl).catch(unusable('DATABASE_URL'));
  if (pooler !== undefined && slot.index === 0) log.info(pooler, 'connected through a connection pooler');
  return postgresStorage(options);
}

const unusable =
  (variable: string) =>
  (failure: unknown): never => {
    const reason =
      failure instanceof Error ? failure.message || ('code' in failure ? String(failure.code) : '') : String(failure);
    throw new StartupError([`${variable}: the database cannot be used (${reason})`], { cause: failure });
  };

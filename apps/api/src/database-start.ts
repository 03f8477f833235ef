import { StartMistake } from '@zonewright/configuration';
import { migrate, pendingMigrations, prepareForPooler } from '@zonewright/postgres';
import { alone } from './processes/place.ts';
import { type PostgresStorageOptions, postgresStorage, type Storage } from './storage.ts';

/** At most so many rules are named in one line of the log. */
const maxLogged = 100;
const sharedKeys =
  'rules mean the same as others of their lists; they stay in force, and are refused when they are written again';

/**
 * Migrates the database without a pooler in between, and makes sure that the service is going to find it so. Rejects with
 * `StartMistake` for what a person can correct.
 */
export async function migrated({
  databaseUrl,
  databaseDirectUrl,
  log,
}: Pick<PostgresStorageOptions, 'databaseUrl' | 'log'> & {
  readonly databaseDirectUrl: string | undefined;
}): Promise<void> {
  const isDirect = databaseDirectUrl === undefined;
  const shared = await migrate(databaseDirectUrl ?? databaseUrl).catch(
    unusable(isDirect ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'),
  );
  if (shared.length > 0) log.warn({ rules: shared.slice(0, maxLogged), count: shared.length }, sharedKeys);
  if (isDirect) return;
  const pending = await pendingMigrations(databaseUrl).catch(unusable('DATABASE_URL'));
  if (pending.length > 0) throw new StartMistake(['DATABASE_DIRECT_URL: leads to another database than DATABASE_URL']);
}

/**
 * The storage of a database that has been migrated, whatever it is reached through. Rejects with `StartMistake` where it cannot be
 * reached.
 */
export async function openedStorage(given: Omit<PostgresStorageOptions, 'pooler'>): Promise<Storage> {
  const pooler = await prepareForPooler(given.databaseUrl).catch(unusable('DATABASE_URL'));
  const { log, place = alone } = given;
  if (pooler !== undefined && place.index === 0) log.info(pooler, 'the database is behind a connection pooler');
  return postgresStorage({ ...given, pooler });
}

const unusable =
  (variable: string) =>
  (failure: unknown): never => {
    const reason =
      failure instanceof Error ? failure.message || ('code' in failure ? String(failure.code) : '') : String(failure);
    throw new StartMistake([`${variable}: the database cannot be used (${reason})`], { cause: failure });
  };

import { type Config, currentKey, type Keys, ringOf } from '@zonewright/configuration';
import type { IdempotencyKeys, RateLimiter, UnitOfWork } from '@zonewright/core';
import { aesSecretBox } from '@zonewright/crypto';
import {
  cleanUp,
  cutBack,
  type Database,
  type DatabaseOptions,
  HotStandby,
  type OutboxFigures,
  openDatabase,
  outboxFigures,
  type PoolFigures,
  PostgresUnitOfWork,
  poolFigures,
  postgresIdempotencyKeys,
  postgresRateLimiter,
  type StandbyFigures,
  type StandbyLag,
  type StatementWatchers,
  zoneMemoryBytes,
} from '@zonewright/postgres';
import type { Logger } from 'pino';
import { alone, type Place, portionOfMemory } from './processes/place.ts';

/** Everything that the service keeps. */
export interface Storage {
  readonly unitOfWork: UnitOfWork;
  readonly limiter: RateLimiter;
  readonly idempotencyKeys: IdempotencyKeys;
  /** Rejects while nothing can be read. */
  ping(): Promise<unknown>;
  /** Supplies some of what is read, where there is one. */
  readonly standby?: MeasuredStandby | undefined;
  pool(): PoolFigures;
  /** Rejects while nothing can be read. */
  outbox(): Promise<OutboxFigures>;
  /** Deletes some of what can prove nothing any more; resolves to whether there may be more of it. */
  cleanUp(): Promise<boolean>;
  close(): Promise<void>;
}

/** What is known of a standby. */
export interface MeasuredStandby {
  readonly figures: StandbyFigures;
  /** Undefined, or a rejection: not known. */
  lag(): Promise<StandbyLag | undefined>;
}

/** Where the database is, what encrypts and hashes, and who wants to know of trouble. */
export interface PostgresStorageOptions {
  readonly databaseUrl: string;
  /** What it leads to by what `prepareForPooler` says. */
  readonly pooler: DatabaseOptions['pooler'];
  readonly config: Pick<Config, 'databasePool' | 'databaseReadUrl' | 'usageLimits' | 'retention'>;
  readonly keys: Keys;
  readonly log: Logger;
  /** Which of the processes of this machine this one is; the only one unless given. */
  readonly place?: Place;
  /** For those who want to know what a request asks of the database. */
  readonly onStatement?: StatementWatchers['onStatement'];
  /** Follows statements of requests. */
  readonly follow?: StatementWatchers['follow'];
}

/** Connections that are reported to the log; nothing connects before the first statement. */
function openLoggedDatabase({ databaseUrl: url, pooler, config, log, onStatement, follow }: PostgresStorageOptions) {
  let isClosing = false;
  const database = openDatabase({
    url,
    pooler,
    connections: config.databasePool,
    onStatement,
    follow,
    onSlowStatement: ({ statement, milliseconds: durationMs, serverProcess, request: requestId }) =>
      log.warn({ statement, durationMs, serverProcess, requestId }, 'slow statement'),
    onLostConnection: (failure) => {
      // A pool does not wait until its connections have ended, so the server may end first.
      if (!isClosing) log.warn({ err: failure }, 'database connection lost');
    },
  });
  const close = () => {
    isClosing = true;
    return database.$pool.end();
  };
  return { database, close };
}

/** Storage in a PostgreSQL database that has all migrations. Nothing connects before the first statement. */
export function postgresStorage(options: PostgresStorageOptions): Storage {
  const { config, keys, place = alone } = options;
  const { database, close } = openLoggedDatabase(options);
  const standby = standbyOf(options);
  const boxes = { outbox: aesSecretBox(ringOf(keys.outbox)), totp: aesSecretBox(ringOf(keys.totp)) };
  return {
    unitOfWork: new PostgresUnitOfWork(database, boxes, {
      memoryBytes: portionOfMemory(zoneMemoryBytes, place),
      limits: config.usageLimits,
      standby,
    }),
    limiter: postgresRateLimiter(database, { key: currentKey(keys.limiter) }),
    idempotencyKeys: postgresIdempotencyKeys(database, aesSecretBox(ringOf(keys.idempotency))),
    ping: () => database.one('SELECT 1'),
    standby: standby && measured(standby, database),
    pool: () => poolFigures(database),
    outbox: () => outboxFigures(database),
    cleanUp: () => cleanUpSome(database, config),
    close: async () => {
      await standby?.close();
      await close();
    },
  };
}

/** Reads go on without it while it does not answer. */
function standbyOf({ config, log }: PostgresStorageOptions): HotStandby | undefined {
  const { databaseReadUrl: url, databasePool: connections } = config;
  if (url === undefined) return undefined;
  return new HotStandby({
    url,
    connections,
    onDown: (failure) => log.warn({ err: failure }, 'the standby does not answer; the database is read instead'),
    onUp: () => log.info('the standby answers again'),
  });
}

const measured = (standby: HotStandby, primary: Database): MeasuredStandby => ({
  get figures() {
    return standby.figures;
  },
  lag: () => standby.lag(primary),
});

async function cleanUpSome(database: Database, { retention }: Pick<Config, 'retention'>): Promise<boolean> {
  const deleted = await cleanUp(database);
  return (await cutBack(database, retention)) || deleted > 0;
}

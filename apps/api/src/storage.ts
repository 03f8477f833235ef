import { type Config, currentKey, type Keys, ringOf, secretBoxes } from '@zonewright/configuration';
import type { DomainStorage, IdempotencyKeys, RateLimiter } from '@zonewright/core';
import { aesSecretBox } from '@zonewright/crypto';
import {
  type Database,
  type DatabaseOptions,
  HotStandby,
  openDatabase,
  PostgresUnitOfWork,
  ping,
  postgresIdempotencyKeys,
  postgresRateLimiter,
  type StandbyLag,
  type StandbyStats,
  type StatementWatchers,
  zoneCacheBytes,
} from '@zonewright/postgres';
import {
  applyRetention,
  attempted,
  type BatchFailed,
  type OutboxStats,
  outboxStats,
  type PoolStats,
  poolerBefore,
  poolStats,
  postgresExpiry,
} from '@zonewright/postgres-operations';
import type { Logger } from 'pino';
import { memoryShare, onlyProcess, type ProcessSlot } from './processes/process-slot.ts';

/** All persistent state of the service. */
export interface Storage {
  readonly unitOfWork: DomainStorage;
  readonly limiter: RateLimiter;
  readonly idempotencyKeys: IdempotencyKeys;
  /** Rejects while the database is unreachable. */
  ping(): Promise<unknown>;
  /** The standby that serves some of the reads, if configured. */
  readonly standby?: MeasuredStandby | undefined;
  pool(): PoolStats;
  /** Rejects while the database is unreachable. */
  outbox(): Promise<OutboxStats>;
  /** Deletes a batch of each kind of expired records, and encrypts ban tokens; resolves to whether more may remain. */
  cleanUp(): Promise<boolean>;
  /** How many batches of the clean-up have failed since the start, by name. */
  failedCleanUps(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Metrics of a standby. */
export interface MeasuredStandby {
  readonly stats: StandbyStats;
  /** Undefined or rejected while unknown. */
  lag(): Promise<StandbyLag | undefined>;
}

/** Database location, cryptography and observers. */
export interface PostgresStorageOptions {
  readonly databaseUrl: string;
  /** What `prepareForPooler` found out about the connection. */
  readonly pooler: DatabaseOptions['pooler'];
  readonly config: Pick<Config, 'databasePool' | 'databaseReadUrl' | 'usageLimits' | 'hostNameRules' | 'retention'>;
  readonly keys: Keys;
  readonly log: Logger;
  /** This process among those of the machine; by default the only one. */
  readonly slot?: ProcessSlot;
  /** Whether to log that the standby goes and comes back; not on threads, whose process does. */
  readonly reportsStandby?: boolean;
  /** Bytes of zones that are remembered; by default this process's share of the machine's. */
  readonly memoryBytes?: number;
  /** Observes the statements of requests. */
  readonly onStatement?: StatementWatchers['onStatement'];
  /** Associates statements with requests. */
  readonly trace?: StatementWatchers['trace'];
}

/** Logs connection errors. Connects lazily, at the first statement. */
function openLoggedDatabase({ databaseUrl: url, pooler, config, log, onStatement, trace }: PostgresStorageOptions) {
  let isClosing = false;
  const database = openDatabase({
    url,
    pooler,
    connections: config.databasePool,
    onStatement,
    trace,
    onSlowStatement: ({ statement, milliseconds: durationMs, serverProcess, request: requestId }) =>
      log.warn({ statement, durationMs, serverProcess, requestId }, 'slow statement'),
    onLostConnection: (failure) => {
      // A pool does not wait for its connections to close, so the server may stop first.
      if (!isClosing) log.warn({ err: failure }, 'database connection lost');
    },
  });
  const close = () => {
    isClosing = true;
    return database.$pool.end();
  };
  return { database, close };
}

/** Storage in a fully migrated PostgreSQL database. Connects lazily, at the first statement. */
export function postgresStorage(options: PostgresStorageOptions): Storage {
  const { config, keys, slot = onlyProcess, memoryBytes = memoryShare(zoneCacheBytes, slot) } = options;
  const boxes = secretBoxes(keys);
  const { database, close } = openLoggedDatabase(options);
  const standby = standbyOf(options, database);
  const failedCleanUps = new Map<string, number>();
  const onFailedCleanUp: BatchFailed = (batch, failure) => {
    failedCleanUps.set(batch, (failedCleanUps.get(batch) ?? 0) + 1);
    options.log.error({ err: failure, batch }, 'clean-up failed');
  };
  return {
    unitOfWork: new PostgresUnitOfWork(database, boxes, {
      memoryBytes,
      limits: config.usageLimits,
      hostNameRules: config.hostNameRules,
      standby,
    }),
    limiter: postgresRateLimiter(database, { key: currentKey(keys.limiter) }),
    idempotencyKeys: postgresIdempotencyKeys(database, aesSecretBox(ringOf(keys.idempotency))),
    ping: () => ping(database),
    standby: standby && measured(standby, database),
    pool: () => poolStats(database),
    outbox: () => outboxStats(database),
    cleanUp: () => cleanUpSome(database, config, onFailedCleanUp),
    failedCleanUps: () => failedCleanUps,
    close: async () => {
      await standby?.close();
      await close();
    },
  };
}

/** Reads fall back to the primary while the standby is unavailable. */
function standbyOf(
  { config, log, trace, reportsStandby = true }: PostgresStorageOptions,
  primary: Database,
): HotStandby | undefined {
  const { databaseReadUrl: url, databasePool: connections } = config;
  if (url === undefined) return undefined;
  return new HotStandby({
    url,
    primary,
    connections,
    detectPooler: poolerBefore,
    trace,
    onDown: (failure) => {
      if (reportsStandby) log.warn({ err: failure }, 'standby unavailable; reads go to the primary');
    },
    onUp: () => {
      if (reportsStandby) log.info('standby available again');
    },
  });
}

const measured = (standby: HotStandby, primary: Database): MeasuredStandby => ({
  get stats() {
    return standby.stats;
  },
  lag: () => standby.lag(primary),
});

async function cleanUpSome(
  database: Database,
  { retention }: Pick<Config, 'retention'>,
  onFailure: BatchFailed,
): Promise<boolean> {
  const deleted = await postgresExpiry(database, onFailure).removeExpired();
  return (await applyRetention(database, retention, onFailure)) || deleted > 0;
}

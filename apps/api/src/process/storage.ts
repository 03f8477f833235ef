import { type Config, currentKey, type Keys, ringOf, secretBoxes } from '@zonewright/configuration';
import type { DomainStorage, IdempotencyKeys, RateLimiter } from '@zonewright/core';
import { aesSecretBox } from '@zonewright/crypto';
import {
  type Database,
  openDatabase,
  PostgresUnitOfWork,
  ping,
  postgresIdempotencyKeys,
  postgresRateLimiter,
  type StatementWatchers,
  zoneCacheBytes,
} from '@zonewright/postgres';
import {
  applyRetention,
  type BatchFailed,
  outboxStats,
  poolStats,
  postgresExpiry,
} from '@zonewright/postgres-operations';
import type { Logger } from 'pino';
import type { MeasuredStorage } from '../observability/gauges.ts';
import { memoryShare, onlyProcess, type ProcessSlot } from '../process-slot.ts';

/** All persistent state of the service. */
export interface Storage extends MeasuredStorage {
  readonly unitOfWork: DomainStorage;
  readonly limiter: RateLimiter;
  readonly idempotencyKeys: IdempotencyKeys;
  /** Rejects while the database is unreachable. */
  ping(): Promise<unknown>;
  /** Deletes a batch of each kind of expired records, and encrypts ban tokens; resolves to whether more may remain. */
  cleanUp(): Promise<boolean>;
  close(): Promise<void>;
}

/** Database location, cryptography and observers. */
export interface PostgresStorageOptions {
  readonly databaseUrl: string;
  readonly config: Pick<Config, 'databasePool' | 'databasePooler' | 'usageLimits' | 'hostNameRules' | 'retention'>;
  readonly keys: Keys;
  readonly log: Logger;
  /** This process among those of the machine; by default the only one. */
  readonly slot?: ProcessSlot;
  /** Bytes of zones that are remembered; by default this process's share of the machine's. */
  readonly memoryBytes?: number;
  /** Observes the statements of requests. */
  readonly onStatement?: StatementWatchers['onStatement'];
  /** Associates statements with requests. */
  readonly trace?: StatementWatchers['trace'];
}

/** Logs connection errors. Connects lazily, at the first statement. */
function openLoggedDatabase({ databaseUrl: url, config, log, onStatement, trace }: PostgresStorageOptions) {
  let isClosing = false;
  const database = openDatabase({
    url,
    pooler: config.databasePooler,
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
    }),
    limiter: postgresRateLimiter(database, { key: currentKey(keys.limiter) }),
    idempotencyKeys: postgresIdempotencyKeys(database, aesSecretBox(ringOf(keys.idempotency))),
    ping: () => ping(database),
    pool: () => poolStats(database),
    outbox: () => outboxStats(database),
    cleanUp: () => cleanUpSome(database, config, onFailedCleanUp),
    failedCleanUps: () => failedCleanUps,
    close,
  };
}

async function cleanUpSome(
  database: Database,
  { retention }: Pick<Config, 'retention'>,
  onFailure: BatchFailed,
): Promise<boolean> {
  const deleted = await postgresExpiry(database, onFailure).removeExpired();
  return (await applyRetention(database, retention, onFailure)) || deleted > 0;
}

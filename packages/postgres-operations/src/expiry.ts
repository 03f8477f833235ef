import {
  changeSetLifetimeSeconds,
  deletedZoneGraceSeconds,
  type Expiry,
  expiredCredentialLifetimeSeconds,
  finishedMailLifetimeSeconds,
  flowLifetimeSeconds,
  idempotencyKeyLifetimeSeconds,
  pendingDomainLifetimeSeconds,
  unverifiedAccountLifetimeSeconds,
} from '@zonewright/core';
import { type Connection, type Database, ping, rethrow, storageFailure } from '@zonewright/postgres';
import { statementFile } from './statement-file.ts';

/** Held by the cleaning instance until its transaction ends. */
const cleanUpLock = statementFile('clean-up/lock.sql');
/** Rows of each kind that one transaction deletes. */
const batch = 100;
/** A zone can have any number of revisions. */
const revisionBatch = 1000;
/** Bytes of text that one transaction deletes of kinds with large rows: far less than a statement has time for. */
const batchBytes = 32 * 2 ** 20;
/** Partitions of the audit log are created this many months ahead: long before entries need them. */
const months = 3;

const bounded = { batch, bytes: batchBytes } as const;

/** The statements, in order, with the lifetimes that they apply. */
const batches = {
  'mailed-tokens': { batch, lifetimeSeconds: expiredCredentialLifetimeSeconds },
  'address-changes': { batch, lifetimeSeconds: expiredCredentialLifetimeSeconds },
  challenges: { batch, lifetimeSeconds: expiredCredentialLifetimeSeconds },
  'spent-states': { batch, lifetimeSeconds: flowLifetimeSeconds },
  'passkey-challenges': { batch, lifetimeSeconds: expiredCredentialLifetimeSeconds },
  sessions: { batch, lifetimeSeconds: expiredCredentialLifetimeSeconds },
  'outbox-mails': { batch, lifetimeSeconds: finishedMailLifetimeSeconds },
  'idempotency-keys': { batch, lifetimeSeconds: idempotencyKeyLifetimeSeconds },
  'pending-domains': { batch, lifetimeSeconds: pendingDomainLifetimeSeconds },
  'unverified-accounts': { batch, lifetimeSeconds: unverifiedAccountLifetimeSeconds },
  'deleted-zones': { batch, lifetimeSeconds: deletedZoneGraceSeconds },
  'forgotten-revisions': { ...bounded, batch: revisionBatch },
  'forgotten-change-sets': bounded,
  'forgotten-rules': bounded,
  'forgotten-zones': bounded,
  'backend-revisions': { batch },
  'change-sets': { ...bounded, lifetimeSeconds: changeSetLifetimeSeconds },
} as const;

const statements = Object.entries(batches).map(
  ([name, values]) => [name, statementFile(`clean-up/${name}.sql`).prepared(values)] as const,
);
const auditLogMonths = statementFile('clean-up/audit-log-months.sql');

/** Called with the name and the failure of a batch. If it throws, the batches after it are not tried. */
export type BatchFailed = (batch: string, failure: unknown) => void;

/** Ends the clean-up at its first failure. */
export const stopAtFailure: BatchFailed = (_batch, failure) => {
  throw failure;
};

/**
 * Each call deletes a batch of each kind of expired rows, and creates partitions of the audit log ahead. Each batch is a
 * transaction of its own: one that fails leaves the others alone.
 */
export const postgresExpiry = (database: Database, onFailure: BatchFailed = stopAtFailure): Expiry => ({
  removeExpired: () => removeExpired(database, onFailure),
});

async function removeExpired(database: Database, onFailure: BatchFailed): Promise<number> {
  await ping(database).catch(rethrow);
  let deleted = 0;
  for (const [name, statement] of statements) {
    const remove = async (on: Connection) => (await on.any(statement)).length;
    deleted += (await attempted(name, () => underCleanUpLock(database, remove), onFailure)) ?? 0;
  }
  await attempted('audit-log-months', () => database.any(auditLogMonths.prepared({ months })), onFailure);
  return deleted;
}

/** Undefined after a failure, which has been reported. */
export async function attempted<T>(
  name: string,
  work: () => Promise<T>,
  onFailure: BatchFailed,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (failure) {
    onFailure(name, storageFailure(failure));
    return undefined;
  }
}

/** Works in a transaction of its own; undefined while another instance is cleaning. */
export const underCleanUpLock = <T>(database: Database, work: (on: Connection) => Promise<T>): Promise<T | undefined> =>
  database.tx(async (transaction) => {
    const { locked } = await transaction.one<{ locked: boolean }>(cleanUpLock.prepared());
    return locked ? work(transaction) : undefined;
  });

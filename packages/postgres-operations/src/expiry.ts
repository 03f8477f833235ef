import {
  changeSetLifetimeSeconds,
  deletedZoneGraceSeconds,
  type Expiry,
  expiredCredentialLifetimeSeconds,
  finishedMailLifetimeSeconds,
  idempotencyKeyLifetimeSeconds,
  unverifiedAccountLifetimeSeconds,
} from '@zonewright/core';
import { type Database, storageFailure } from '@zonewright/postgres';
import { statementFile } from './statement-file.ts';

/** Held by the cleaning instance until its transaction ends. */
export const cleanUpLock = statementFile('clean-up/lock.sql');
/** Rows of each kind that one transaction deletes. */
const batch = 100;
/** A zone can have any number of revisions. */
const revisionBatch = 1000;
/** Partitions of the audit log are created this many months ahead: long before entries need them. */
const months = 3;

/** The statements, in order, with the lifetimes that they apply. */
const batches = [
  timed('mailed-tokens', expiredCredentialLifetimeSeconds),
  timed('challenges', expiredCredentialLifetimeSeconds),
  timed('sessions', expiredCredentialLifetimeSeconds),
  timed('outbox-mails', finishedMailLifetimeSeconds),
  timed('idempotency-keys', idempotencyKeyLifetimeSeconds),
  timed('unverified-accounts', unverifiedAccountLifetimeSeconds),
  timed('deleted-zones', deletedZoneGraceSeconds),
  statementFile('clean-up/forgotten-revisions.sql').prepared({ batch: revisionBatch }),
  statementFile('clean-up/forgotten-zones.sql').prepared({ batch }),
  statementFile('clean-up/backend-revisions.sql').prepared({ batch }),
  timed('change-sets', changeSetLifetimeSeconds),
];
const auditLogMonths = statementFile('clean-up/audit-log-months.sql');

/** Each call deletes a batch of each kind of expired rows, and creates partitions of the audit log ahead. */
export const postgresExpiry = (database: Database): Expiry => ({ removeExpired: () => removeExpired(database) });

async function removeExpired(database: Database): Promise<number> {
  try {
    const deleted = await deleteBatches(database);
    await database.any(auditLogMonths.prepared({ months }));
    return deleted;
  } catch (failure) {
    throw storageFailure(failure);
  }
}

const deleteBatches = (database: Database): Promise<number> =>
  database.tx(async (transaction) => {
    const { locked } = await transaction.one<{ locked: boolean }>(cleanUpLock.prepared());
    if (!locked) return 0;
    let deleted = 0;
    for (const statement of batches) deleted += (await transaction.any(statement)).length;
    return deleted;
  });

function timed(name: string, lifetimeSeconds: number) {
  return statementFile(`clean-up/${name}.sql`).prepared({ lifetimeSeconds, batch });
}

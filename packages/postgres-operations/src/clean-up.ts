import { type Database, storageFailure } from '@zonewright/postgres';
import { statementFile } from './statement-file.ts';

/** Held by the cleaning instance until its transaction ends. */
export const cleanUpLock = statementFile('clean-up/lock.sql');
const batches = [
  statementFile('clean-up/mailed-tokens.sql'),
  statementFile('clean-up/challenges.sql'),
  statementFile('clean-up/sessions.sql'),
  statementFile('clean-up/outbox-mails.sql'),
  statementFile('clean-up/idempotency-keys.sql'),
  statementFile('clean-up/unverified-accounts.sql'),
  statementFile('clean-up/deleted-zones.sql'),
  statementFile('clean-up/forgotten-revisions.sql'),
  statementFile('clean-up/forgotten-zones.sql'),
  statementFile('clean-up/backend-revisions.sql'),
  statementFile('clean-up/change-sets.sql'),
];
const auditLogMonths = statementFile('clean-up/audit-log-months.sql');

/**
 * Deletes a batch of each kind of expired rows, and creates partitions ahead. Resolves to the number of deleted rows;
 * also 0 when another instance holds the lock. Repeat until it finds nothing.
 */
export async function cleanUp(database: Database): Promise<number> {
  try {
    const deleted = await deleteBatches(database);
    await database.any(auditLogMonths.prepared());
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
    for (const batch of batches) deleted += (await transaction.any(batch.prepared())).length;
    return deleted;
  });

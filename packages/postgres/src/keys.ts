import type { SecretBox, UserId } from '@zonewright/core';
import type { Connection, Database } from './database.ts';
import { sql } from './sql.ts';
import { contextOfSecret } from './two-factors.ts';

/** The number of stored values that need a key, by key ring. */
export interface KeyUses {
  readonly totp: number;
  /** Unused codes. */
  readonly recovery: number;
  readonly outbox: number;
  readonly idempotency: number;
}

/** Counts stored values that only the key with this name can decrypt or verify. */
export const keyUses = (database: Database, kid: string): Promise<KeyUses> =>
  database.one<KeyUses>(sql.keys.uses.prepared({ kid }));

interface SealedRow {
  readonly user: UserId;
  readonly sealed: string;
}

const limit = 200;

/**
 * Re-encrypts two-factor secrets that use an older key, so that it can be removed. Sign-ins continue meanwhile: rows
 * are locked a few hundred at a time. Resolves to their number. Rejects when one cannot be decrypted.
 */
export async function resealSecrets(database: Database, box: SecretBox): Promise<number> {
  let count = 0;
  for (let after: UserId | null = null; ; ) {
    const rows: readonly SealedRow[] = await database.tx((transaction) => resealSome(transaction, box, after));
    count += rows.filter(({ sealed }) => !box.isCurrent(sealed)).length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return count;
    after = last.user;
  }
}

/** Resolves to the old rows. */
async function resealSome(on: Connection, box: SecretBox, after: UserId | null): Promise<readonly SealedRow[]> {
  const rows = await on.any<SealedRow>(sql.keys.secrets.prepared({ after, limit }));
  for (const { user, sealed } of rows.filter((row) => !box.isCurrent(row.sealed))) {
    const context = contextOfSecret(user);
    await on.none(sql.twoFactor.reseal.prepared({ user, secret: box.seal(box.open(sealed, context), context) }));
  }
  return rows;
}

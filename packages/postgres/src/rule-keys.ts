import { createHash } from 'node:crypto';
import { type RuleKind, ruleKinds } from '@zonewright/core';
import type { Client } from 'pg';
import { withoutTimeLimits } from './time-limits.ts';

/** A rule that has what no two rules of a list may have in common with another one, since before that was known. */
export interface SharedKey {
  readonly zone: string;
  readonly kind: RuleKind;
  readonly rule: string;
}

/** SHA-256 of what no two rules of a list may have in common; null for kinds that have nothing of the sort. */
export const hashOfKey = (key: string | undefined): Buffer | null =>
  key === undefined ? null : createHash('sha256').update(key).digest();

interface OldRow {
  readonly id: string;
  readonly zone: string;
  readonly kind: RuleKind;
  readonly hash: Buffer | null;
  readonly content: string;
}

const batch = 200;

// The version is written by `apply-rules.sql` and `apply-rule-ids.sql` in `sql/zone-changes` as well, and the index is for rows below it.
const oldRows = `
  SELECT id, zone_id AS "zone", kind, unique_hash AS "hash", content::text AS "content" FROM rules
  WHERE key_version < 1 ORDER BY zone_id, kind, id LIMIT ${batch} FOR UPDATE`;
const keep = 'UPDATE rules SET key_version = 1 WHERE id = ANY($1::uuid[])';
const give = `
  UPDATE rules SET unique_hash = $2, key_version = 1 WHERE id = $1 AND NOT EXISTS (
    SELECT FROM rules AS other
    WHERE (other.zone_id, other.kind, other.unique_hash) = (rules.zone_id, rules.kind, $2) AND other.id <> $1
  )`;
const take = 'UPDATE rules SET unique_hash = NULL, key_version = 1 WHERE id = $1';

/**
 * Computes the keys of rules anew that an earlier release computed by other means. A rule that shares its new key with
 * another one stays as it is, without a key, until it is written; resolves to these.
 */
export async function renewRuleKeys(client: Client): Promise<readonly SharedKey[]> {
  const shared: SharedKey[] = [];
  for (;;) {
    await client.query(`BEGIN; ${withoutTimeLimits}`);
    try {
      const { rows } = await client.query<OldRow>(oldRows);
      shared.push(...(await renewed(client, rows)));
      await client.query('COMMIT');
      if (rows.length < batch) return shared;
    } catch (failure) {
      await client.query('ROLLBACK');
      throw failure;
    }
  }
}

async function renewed(client: Client, rows: readonly OldRow[]): Promise<readonly SharedKey[]> {
  const shared: SharedKey[] = [];
  const unchanged: string[] = [];
  for (const { id, zone, kind, hash, content } of rows) {
    // What is stored was checked when it was written.
    const renewedHash = hashOfKey(ruleKinds[kind].uniqueKey?.of(JSON.parse(content)));
    if (renewedHash === null || hash?.equals(renewedHash) === true) {
      unchanged.push(id);
    } else if ((await client.query(give, [id, renewedHash])).rowCount === 0) {
      await client.query(take, [id]);
      shared.push({ zone, kind, rule: id });
    }
  }
  await client.query(keep, [unchanged]);
  return shared;
}

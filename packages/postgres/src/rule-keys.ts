import { createHash } from 'node:crypto';
import { type RuleKind, ruleKinds } from '@zonewright/core';
import type { Client } from 'pg';
import { withoutTimeLimits } from './time-limits.ts';

/** A rule whose key duplicates another's, from before the key was unique. */
export interface SharedKey {
  readonly zone: string;
  readonly kind: RuleKind;
  readonly rule: string;
}

/** SHA-256 of a rule's unique key; null for kinds without one. */
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

// `apply-rules.sql` and `apply-rule-ids.sql` in `sql/zone-changes` write the same version, and the index covers rows
// below it.
const oldRows = `
  SELECT id, zone_id AS "zone", kind, unique_hash AS "hash", content::text AS "content" FROM rules
  WHERE key_version < 1 ORDER BY zone_id, kind, id LIMIT ${batch} FOR UPDATE`;
const keepKey = 'UPDATE rules SET key_version = 1 WHERE id = ANY($1::uuid[])';
const setKey = `
  UPDATE rules SET unique_hash = $2, key_version = 1 WHERE id = $1 AND NOT EXISTS (
    SELECT FROM rules AS other
    WHERE (other.zone_id, other.kind, other.unique_hash) = (rules.zone_id, rules.kind, $2) AND other.id <> $1
  )`;
const clearKey = 'UPDATE rules SET unique_hash = NULL, key_version = 1 WHERE id = $1';

/**
 * Recomputes rule keys that an earlier release computed differently. A rule whose new key is a duplicate stays without
 * a key until it is written; resolves to these.
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
    // Stored content was validated when written.
    const renewedHash = hashOfKey(ruleKinds[kind].uniqueKey?.of(JSON.parse(content)));
    if (renewedHash === null || hash?.equals(renewedHash) === true) {
      unchanged.push(id);
    } else if ((await client.query(setKey, [id, renewedHash])).rowCount === 0) {
      await client.query(clearKey, [id]);
      shared.push({ zone, kind, rule: id });
    }
  }
  await client.query(keepKey, [unchanged]);
  return shared;
}

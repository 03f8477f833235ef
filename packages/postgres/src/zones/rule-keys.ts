import { createHash } from 'node:crypto';
import { type RuleKind, ruleKinds } from '@zonewright/core';
import type { Client } from 'pg';
import { rowsOn } from '../connection/query.ts';
import { withoutTimeLimits } from '../connection/time-limits.ts';
import { sql } from '../sql.ts';

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

/** Rules are renewed in batches of this size, each in a transaction of its own. */
const batch = 200;

/**
 * Recomputes rule keys that an earlier release computed differently. A rule whose new key is a duplicate stays without
 * a key until it is written; resolves to these.
 */
export async function renewRuleKeys(client: Client): Promise<readonly SharedKey[]> {
  const shared: SharedKey[] = [];
  for (;;) {
    await client.query(`BEGIN; ${withoutTimeLimits}`);
    try {
      const rows = await rowsOn<OldRow>(client, sql.ruleKeys.outdated, { limit: batch });
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
    } else if ((await rowsOn(client, sql.ruleKeys.replace, { rule: id, hash: renewedHash })).length === 0) {
      await rowsOn(client, sql.ruleKeys.remove, { rule: id });
      shared.push({ zone, kind, rule: id });
    }
  }
  await rowsOn(client, sql.ruleKeys.confirm, { rules: unchanged });
  return shared;
}

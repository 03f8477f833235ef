import type { OrganizationId } from '@zonewright/core';
import { type Client, escapeIdentifier } from 'pg';
import { movedTables } from './moved-tables.ts';
import { sqlFile } from './sql-file.ts';
import { columnsOf } from './table-copy.ts';

/** Members who prevent a move, by address. */
export interface UnmatchedMembers {
  /** They have no verified account in the target. */
  readonly missing: readonly string[];
  /** They are blocked in the source, but not in the target, where they would regain access. */
  readonly unblocked: readonly string[];
}

interface Match {
  readonly source: string;
  readonly email: string;
  /** Null: no verified account. */
  readonly target: string | null;
  readonly isUnblocked: boolean;
}

/** Creates the temporary table `matched_users` in the target, for all users that the organization's rows refer to. */
export async function matchAccounts(
  source: Client,
  target: Client,
  organization: OrganizationId,
): Promise<UnmatchedMembers> {
  const { rows: matches } = await target.query<Match>(sqlFile('moves/match-accounts.sql'), [
    await accountsOf(source, organization),
  ]);
  await target.query('CREATE TEMP TABLE matched_users (source uuid PRIMARY KEY, target uuid) ON COMMIT DROP');
  await target.query(
    'INSERT INTO matched_users SELECT source, target FROM json_to_recordset($1) AS m (source uuid, target uuid)',
    [JSON.stringify(matches)],
  );
  const { rows } = await source.query<{ user: string }>(
    'SELECT user_id AS "user" FROM memberships WHERE organization_id = $1',
    [organization],
  );
  const userIds = new Set(rows.map(({ user }) => user));
  const members = matches.filter((match) => userIds.has(match.source));
  return {
    missing: members.filter((member) => member.target === null).map(({ email }) => email),
    unblocked: members.filter(({ isUnblocked }) => isUnblocked).map(({ email }) => email),
  };
}

/** The accounts that the organization's rows refer to, as JSON text. */
async function accountsOf(source: Client, organization: OrganizationId): Promise<string> {
  const ids: string[] = [];
  for (const { name, condition } of movedTables) {
    for (const column of await columnsOf(source, name)) {
      if (column.isUser) {
        ids.push(`SELECT ${escapeIdentifier(column.name)} FROM ${escapeIdentifier(name)} WHERE ${condition}`);
      }
    }
  }
  const { rows } = await source.query<{ accounts: string }>(
    `SELECT coalesce(json_agg(u), '[]')::text AS accounts
     FROM (SELECT id, email, email_key, active FROM users WHERE id IN (${ids.join(' UNION ')})) AS u`,
    [organization],
  );
  return rows[0]?.accounts ?? '[]';
}

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { connectedAgain } from './migrate.ts';
import { planning } from './planning.ts';
import { timeLimits } from './time-limits.ts';

/** What sessions begin with where no pooler is in between. */
const roleSettings = { ...timeLimits, ...planning };

/** A connection pooler such as PgBouncer between this process and the server: each transaction may get another connection. */
export interface Pooler {
  /** Whether a prepared statement can be used by its name in a later transaction. */
  readonly keepsStatements: boolean;
}

/**
 * What is between this process and the server; undefined: nothing that matters. A pooler is known by the process id, which it
 * makes up when a client connects; one that keeps track of prepared statements gives them other names. Neither depends on which
 * connections the pooler has at the moment. Rejects when the database cannot be reached.
 */
export const poolerBefore = (url: string): Promise<Pooler | undefined> =>
  connectedAgain(url, async (client) => {
    const name = `zonewright ${randomUUID()}`;
    await client.query('BEGIN');
    const { pid, hasItsName } = await onlyRow<{ pid: number; hasItsName: boolean }>(client, {
      name,
      text: `SELECT pg_backend_pid() AS "pid", EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1) AS "hasItsName"`,
      values: [name],
    });
    // A pooler would keep the statement on the connection.
    if (hasItsName) await client.query(`DEALLOCATE ${client.escapeIdentifier(name)}`);
    await client.query('COMMIT');
    // The process id of the handshake, which the types of the driver lack.
    const isDirect = (client as Client & { readonly processID: number | null }).processID === pid;
    return isDirect ? undefined : { keepsStatements: !hasItsName };
  });

/**
 * Sees to it that time limits and the way of planning hold behind a pooler, which takes no settings when a client connects: they
 * become settings of the role in this database. Rejects when the database cannot be reached.
 */
export const equipForPooler = (url: string): Promise<void> => connectedAgain(url, equipRole);

/** Like `poolerBefore`, with `equipForPooler` where there is one. */
export async function prepareForPooler(url: string): Promise<Pooler | undefined> {
  const pooler = await poolerBefore(url);
  if (pooler !== undefined) await equipForPooler(url);
  return pooler;
}

const maxRounds = 100;
const roundMilliseconds = 50;

/** Connections that began before do not get the settings, so those of the role are closed, each as soon as it does nothing. */
async function equipRole(client: Client): Promise<void> {
  if (!(await setForRole(client))) return;
  const { since } = await onlyRow<{ since: string }>(client, { text: 'SELECT clock_timestamp()::text AS "since"' });
  // What is busy for five seconds is no connection of a pooler in transaction mode.
  for (let round = 1; round <= maxRounds && !(await areRenewed(client, since)); round += 1)
    await pause(roundMilliseconds);
}

/** Closes idle connections from before. Resolves to whether none is left but the one that has asked, which is given them. */
async function areRenewed(client: Client, since: string): Promise<boolean> {
  const settings = Object.entries(roleSettings).map(([name, value]) => `SET ${name} = ${value};`);
  await client.query(`BEGIN; ${settings.join(' ')}`);
  const { left } = await onlyRow<{ left: number }>(client, {
    text: `SELECT count(CASE state WHEN 'idle' THEN pg_terminate_backend(pid) ELSE true END)::int AS "left" FROM pg_stat_activity
      WHERE usename = session_user AND datname = current_database() AND backend_start < $1 AND pid <> pg_backend_pid()`,
    values: [since],
  });
  await client.query('COMMIT');
  return left === 0;
}

/** Resolves to whether anything had to be changed. */
async function setForRole(client: Client): Promise<boolean> {
  // Two roles of one database are changed at once without conflict, one by two instances is not.
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('zonewright time limits', 0))`);
  const { database, settings } = await onlyRow<{ database: string; settings: readonly string[] }>(client, {
    text: `SELECT current_database() AS "database", coalesce((
        SELECT setconfig FROM pg_db_role_setting
        WHERE setrole = session_user::regrole AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
      ), '{}') AS "settings"`,
  });
  const missing = Object.entries(roleSettings).filter(([name, value]) => !settings.includes(`${name}=${value}`));
  for (const [name, value] of missing) {
    await client.query(
      `ALTER ROLE SESSION_USER IN DATABASE ${client.escapeIdentifier(database)} SET ${name} = ${value}`,
    );
  }
  await client.query('COMMIT');
  return missing.length > 0;
}

async function onlyRow<Row extends object>(
  client: Client,
  statement: { readonly text: string; readonly name?: string; readonly values?: unknown[] },
): Promise<Row> {
  const {
    rows: [row],
  } = await client.query<Row>(statement);
  if (row === undefined) throw new Error('The statement has returned no row.');
  return row;
}

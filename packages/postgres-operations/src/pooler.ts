import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connectedAgain, type Pooler, planSettings, timeLimits } from '@zonewright/postgres';
import type { Client } from 'pg';

/** Settings of new sessions without a pooler. */
const roleSettings = { ...timeLimits, ...planSettings };

/**
 * Detects a connection pooler; undefined for a direct connection. Poolers send an invented process id when a client
 * connects, and those that track prepared statements rename them. Neither depends on the pooler's current connections.
 * Rejects when the database is unreachable.
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
    // The process id from the handshake, which the driver does not declare.
    const isDirect = (client as Client & { readonly processID: number | null }).processID === pid;
    return isDirect ? undefined : { keepsStatements: !hasItsName };
  });

/**
 * Makes timeouts and planning settings apply behind a pooler, which ignores settings at connection time: they become
 * role settings in this database. Rejects when the database is unreachable.
 */
export const equipForPooler = (url: string): Promise<void> => connectedAgain(url, equipRole);

/** Like `poolerBefore`, followed by `equipForPooler` if there is a pooler. */
export async function prepareForPooler(url: string): Promise<Pooler | undefined> {
  const pooler = await poolerBefore(url);
  if (pooler !== undefined) await equipForPooler(url);
  return pooler;
}

const maxRounds = 100;
const roundMilliseconds = 50;

/** Earlier connections lack the settings, so those of the role are closed as soon as they are idle. */
async function equipRole(client: Client): Promise<void> {
  if (!(await setForRole(client))) return;
  const { since } = await onlyRow<{ since: string }>(client, { text: 'SELECT clock_timestamp()::text AS "since"' });
  // Connections busy for five seconds do not belong to a pooler in transaction mode.
  for (let round = 1; round <= maxRounds && !(await areRenewed(client, since)); round += 1)
    await pause(roundMilliseconds);
}

/**
 * Closes earlier idle connections. Resolves to whether only this connection is left, which gets the settings directly.
 */
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

/** Resolves to whether anything changed. */
async function setForRole(client: Client): Promise<boolean> {
  // Concurrent ALTER ROLE commands conflict only for the same role.
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
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}

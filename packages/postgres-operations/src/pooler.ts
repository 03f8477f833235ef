import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connectedAgain, type Pooler, planSettings, timeLimits } from '@zonewright/postgres';
import type { Client } from 'pg';
import { rowOf, runFile } from './run-file.ts';
import { sqlFile } from './sql-file.ts';

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
    await runFile(client, 'transactions/begin.sql');
    const { pid, hasItsName } = await preparedAs(client, name);
    // A pooler would keep the statement on the connection.
    if (hasItsName) await runFile(client, 'pooler/deallocate.sql', { name });
    await runFile(client, 'transactions/commit.sql');
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
  const { since } = await rowOf<{ since: string }>(client, 'pooler/now.sql');
  // Connections busy for five seconds do not belong to a pooler in transaction mode.
  for (let round = 1; round <= maxRounds && !(await areRenewed(client, since)); round += 1)
    await pause(roundMilliseconds);
}

/**
 * Closes earlier idle connections. Resolves to whether only this connection is left, which gets the settings directly.
 */
async function areRenewed(client: Client, since: string): Promise<boolean> {
  await runFile(client, 'transactions/begin.sql');
  for (const [setting, value] of Object.entries(roleSettings)) {
    await runFile(client, 'pooler/set.sql', { setting, value });
  }
  const { left } = await rowOf<{ left: number }>(client, 'pooler/close-earlier.sql', { since });
  await runFile(client, 'transactions/commit.sql');
  return left === 0;
}

/** Resolves to whether anything changed. */
async function setForRole(client: Client): Promise<boolean> {
  await runFile(client, 'transactions/begin.sql');
  await runFile(client, 'pooler/lock-role.sql');
  const { database, settings } = await rowOf<{ database: string; settings: readonly string[] }>(
    client,
    'pooler/role-settings.sql',
  );
  const missing = Object.entries(roleSettings).filter(([name, value]) => !settings.includes(`${name}=${value}`));
  for (const [setting, value] of missing) {
    await runFile(client, 'pooler/set-for-role.sql', { database, setting, value });
  }
  await runFile(client, 'transactions/commit.sql');
  return missing.length > 0;
}

interface Preparation {
  readonly pid: number;
  readonly hasItsName: boolean;
}

async function preparedAs(client: Client, name: string): Promise<Preparation> {
  const { rows } = await client.query<Preparation>({ name, text: sqlFile('pooler/detect.sql'), values: [name] });
  const [row] = rows;
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}

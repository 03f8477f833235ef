import type { AuditAction, Operator, OrganizationId } from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import type { Client } from 'pg';
import { connected } from './migrate.ts';
import { heldTables, movedTables } from './moved-tables.ts';
import { sqlFile } from './sql-file.ts';
import { withoutTimeLimits } from './time-limits.ts';

/** The organization, its target and options. */
export interface OrganizationMove {
  readonly organization: OrganizationId;
  /** URLs of the databases, without a pooler. */
  readonly from: string;
  readonly to: string;
  /** Whether to keep the organization's number, which the target database must never assign to another one. */
  readonly keepsNumber: boolean;
  /** Performs and verifies the move, then rolls it back. */
  readonly isRehearsal: boolean;
  readonly operator: Operator;
}

/** The result of a move. */
export interface MovedOrganization {
  readonly name: string;
  /** Its number in the target database. */
  readonly number: number;
  /** Moved rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Why a move failed. */
export type MoveRefused =
  | { readonly type: 'OrganizationNotFound' }
  | { readonly type: 'SameDatabase' }
  /** The databases have different schema versions. */
  | { readonly type: 'SchemasDiffer' }
  /** Members without a verified account in the target database. */
  | { readonly type: 'MembersUnknown'; readonly emails: readonly string[] }
  /** The target database contains a row with the same key; names the violated constraint. */
  | { readonly type: 'AlreadyThere'; readonly constraint: string }
  /** The copied rows differ from the originals. */
  | { readonly type: 'CopyDiffers'; readonly table: string }
  /** It is in the target database under this number, but the source did not confirm its deletion. */
  | { readonly type: 'MayBeAtBoth'; readonly number: number };

/**
 * Moves an organization to another database, keeping all ids except, optionally, its own. Meanwhile writes in the
 * organization wait until their timeout, and reads continue. The target commits first: if that fails nothing has
 * changed, and no write is ever lost.
 */
export const moveOrganization = (move: OrganizationMove): Promise<Result<MovedOrganization, MoveRefused>> =>
  connected(move.from, (source) =>
    connected(move.to, async (target) => {
      for (const each of [source, target]) {
        await each.query(`BEGIN; ${withoutTimeLimits} SET LOCAL TimeZone = 'UTC'; SET LOCAL bytea_output = 'hex'`);
      }
      try {
        const moved = await moveBetween({ ...move, source, target });
        if (moved.isErr() || move.isRehearsal) return moved;
        await target.query('COMMIT');
        return await source.query('COMMIT').then(
          () => moved,
          () => err({ type: 'MayBeAtBoth' as const, number: moved.value.number }),
        );
      } catch (error) {
        const constraint = takenKey(error);
        if (constraint === undefined) throw error;
        return err({ type: 'AlreadyThere', constraint });
      }
    }),
  );

interface OpenMove extends OrganizationMove {
  readonly source: Client;
  readonly target: Client;
}

async function moveBetween(move: OpenMove): Promise<Result<MovedOrganization, MoveRefused>> {
  const { source, target, organization } = move;
  if (!(await areDifferent(source, target))) return err({ type: 'SameDatabase' });
  const name = await held(source, organization);
  if (name === undefined) return err({ type: 'OrganizationNotFound' });
  if ((await versionOf(source)) !== (await versionOf(target))) return err({ type: 'SchemasDiffer' });
  const unknown = await mapUsers(move);
  if (unknown.length > 0) return err({ type: 'MembersUnknown', emails: unknown });
  const number = await addOrganization(move);
  const rows: Record<string, number> = {};
  for (const table of movedTables) {
    const columns = await columnsOf(source, table.name);
    const copied = await copyTable(move, { ...table, columns, number });
    if (copied === undefined) return err({ type: 'CopyDiffers', table: table.name });
    rows[table.name] = copied;
  }
  await record(target, 'organization.moved', move.operator, number, { from: String(organization) });
  await removeIn(source, organization);
  await record(source, 'organization.moved', move.operator, null, { organization: String(organization), name });
  return ok({ name, number, rows });
}

/** Whether these are different databases: a lock in one must be free in the other. */
async function areDifferent(source: Client, target: Client): Promise<boolean> {
  const lock = `hashtextextended('zonewright move ' || $1, 0)`;
  const { rows } = await source.query<{ id: string }>('SELECT gen_random_uuid() || clock_timestamp()::text AS id');
  const id = [rows[0]?.id];
  await source.query(`SELECT pg_advisory_xact_lock(${lock})`, id);
  const free = await target.query<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock(${lock}) AS free`, id);
  return free.rows[0]?.free === true;
}

/** Waits for current writes and blocks new ones. Resolves to the organization's name, if it exists. */
async function held(source: Client, organization: OrganizationId): Promise<string | undefined> {
  // Also keeps the clean-up from deleting rows during the copy.
  await source.query(`SELECT pg_advisory_xact_lock(hashtextextended('zonewright clean-up', 0))`);
  const { rows } = await source.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1 FOR UPDATE', [
    organization,
  ]);
  for (const table of heldTables) {
    await source.query(`SELECT FROM ${table} WHERE organization_id = $1 FOR UPDATE`, [organization]);
  }
  return rows[0]?.name;
}

/** The migrations of a database; none if it has never had any. */
async function versionOf(client: Client): Promise<string> {
  const known = await client.query(`SELECT WHERE to_regclass('schema_migrations') IS NOT NULL`);
  if (known.rows.length === 0) return '';
  const { rows } = await client.query<{ version: string }>(
    `SELECT string_agg(name, ' ' ORDER BY name) AS version FROM schema_migrations`,
  );
  return rows[0]?.version ?? '';
}

interface Column {
  readonly name: string;
  readonly namesUser: boolean;
}

const columnsOf = async (client: Client, table: string): Promise<readonly Column[]> =>
  (await client.query<Column>(sqlFile('moves/columns.sql'), [table])).rows;

const listed = (columns: readonly Column[]): string => columns.map(({ name }) => `"${name}"`).join(', ');

/** Creates a table that maps users to the target's. Resolves to the addresses of members without an account there. */
async function mapUsers({ source, target, organization }: OpenMove): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { name, rows } of movedTables) {
    for (const column of await columnsOf(source, name)) {
      if (column.namesUser) ids.push(`SELECT "${column.name}" FROM ${name} WHERE ${rows}`);
    }
  }
  const people = await source.query<{ people: string }>(
    `SELECT coalesce(json_agg(json_build_object('old', id, 'email', email, 'email_key', email_key)), '[]')::text AS people
     FROM users WHERE id IN (${ids.join(' UNION ')})`,
    [organization],
  );
  const { rows } = await target.query<{ old: string; email: string; new: string | null }>(sqlFile('moves/people.sql'), [
    people.rows[0]?.people,
  ]);
  await target.query('CREATE TEMP TABLE moved_people (old uuid PRIMARY KEY, new uuid) ON COMMIT DROP');
  await target.query('INSERT INTO moved_people SELECT old, new FROM json_to_recordset($1) AS p (old uuid, new uuid)', [
    JSON.stringify(rows),
  ]);
  const members = await source.query<{ user: string }>(
    'SELECT user_id AS "user" FROM memberships WHERE organization_id = $1',
    [organization],
  );
  const isMember = new Set(members.rows.map(({ user }) => user));
  return rows.filter((each) => each.new === null && isMember.has(each.old)).map(({ email }) => email);
}

/** Resolves to its number in the target. */
async function addOrganization({ source, target, organization, keepsNumber }: OpenMove): Promise<number> {
  const columns = await columnsOf(source, 'organizations');
  const written = listed(keepsNumber ? columns : columns.filter(({ name }) => name !== 'id'));
  const { rows } = await source.query<{ row: string }>(
    'SELECT row_to_json(o)::text AS row FROM organizations AS o WHERE id = $1',
    [organization],
  );
  const added = await target.query<{ id: number }>(
    `INSERT INTO organizations (${written}) OVERRIDING SYSTEM VALUE
     SELECT ${written} FROM json_populate_record(NULL::organizations, $1) RETURNING id`,
    [rows[0]?.row],
  );
  return added.rows[0]?.id ?? organization;
}

interface TableCopy {
  readonly name: string;
  readonly rows: string;
  readonly numbered?: readonly string[];
  readonly columns: readonly Column[];
  /** The organization's number in the target. */
  readonly number: number;
}

/** Maximum rows in memory. */
const batch = 50;

/** Copies rows in text format. Resolves to their number; undefined if source and target disagree. */
async function copyTable({ source, target, organization }: OpenMove, copy: TableCopy): Promise<number | undefined> {
  const { name, rows, columns, number, numbered = [] } = copy;
  const written = columns.filter((column) => !numbered.includes(column.name));
  const list = listed(written);
  const values = written.map((column) => valueOf(column, name, number)).join(', ');
  await source.query(`DECLARE moved CURSOR FOR SELECT row_to_json(t)::text AS row FROM (
    SELECT ${list} FROM ${name} WHERE ${rows.replaceAll('$1', String(organization))}) AS t`);
  for (;;) {
    const { rows: fetched } = await source.query<{ row: string }>(`FETCH ${batch} FROM moved`);
    if (fetched.length === 0) break;
    await target.query(
      `INSERT INTO ${name} (${list}) SELECT ${values} FROM json_populate_recordset(NULL::${name}, $1) AS r`,
      [`[${fetched.map(({ row }) => row).join(',')}]`],
    );
  }
  await source.query('CLOSE moved');
  const [sent, arrived] = [await sumOf(source, copy, organization), await sumOf(target, copy, number)];
  return sent.sum === arrived.sum ? sent.count : undefined;
}

/** The value of a column in the target: organization and users are mapped, others unchanged. */
function valueOf({ name, namesUser }: Column, table: string, organization: number): string {
  if (name === 'organization_id') return String(organization);
  if (!namesUser) return `r."${name}"`;
  const there = `(SELECT new FROM moved_people WHERE old = r."${name}")`;
  // The log keeps the original id of unknown users.
  return table === 'audit_log' ? `coalesce(${there}, r."${name}")` : there;
}

/** The row count and a checksum of the columns that must be equal in both databases. */
async function sumOf(
  client: Client,
  { name, rows, columns, numbered = [] }: TableCopy,
  organization: number,
): Promise<{ readonly count: number; readonly sum: string }> {
  const same = columns.filter(
    (column) => !(column.namesUser || column.name === 'organization_id' || numbered.includes(column.name)),
  );
  const found = await client.query<{ count: number; sum: string }>(
    `SELECT count(*)::int AS count, count(*) || ' ' || coalesce(md5(string_agg(sum, '' ORDER BY sum)), '') AS sum
     FROM (SELECT md5(row_to_json(t)::text) AS sum FROM (
       SELECT ${listed(same)} FROM ${name} WHERE ${rows}) AS t) AS sums`,
    [organization],
  );
  return found.rows[0] ?? { count: 0, sum: '' };
}

/**
 * Deletes an organization with everything in it. Rows that refer to its zones' identities are deleted by the clean-up
 * in batches.
 */
export const removeOrganization = (url: string, organization: OrganizationId, operator: Operator): Promise<void> =>
  connected(url, async (client) => {
    await client.query(`BEGIN; ${withoutTimeLimits}`);
    const name = await held(client, organization);
    if (name !== undefined) {
      await removeIn(client, organization);
      await record(client, 'organization.deleted', operator, null, { organization: String(organization), name });
    }
    await client.query('COMMIT');
  });

async function removeIn(client: Client, organization: number): Promise<void> {
  for (const table of ['zones', 'load_balancers']) {
    await client.query(`DELETE FROM ${table} WHERE organization_id = $1`, [organization]);
  }
  await client.query('DELETE FROM organizations WHERE id = $1', [organization]);
}

const record = (
  client: Client,
  action: AuditAction,
  operator: Operator,
  organization: number | null,
  objects: Readonly<Record<string, string>>,
): Promise<unknown> =>
  client.query('INSERT INTO audit_log (action, organization_id, objects, user_agent) VALUES ($1, $2, $3, $4)', [
    action,
    organization,
    JSON.stringify(objects),
    operator.userAgent,
  ]);

/** The violated unique constraint. */
function takenKey(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === '23505')) return undefined;
  return 'constraint' in error ? String(error.constraint) : undefined;
}

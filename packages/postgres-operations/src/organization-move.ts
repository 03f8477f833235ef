import type { Operator, OrganizationId } from '@zonewright/core';
import { connected } from '@zonewright/postgres';
import { err, ok, type Result } from 'neverthrow';
import type { Client } from 'pg';
import { matchAccounts } from './account-matches.ts';
import { movedTables } from './moved-tables.ts';
import { addAuditEntry, deleteOrganization, lockOrganization } from './organization-removal.ts';
import { rowOf, runFile } from './run-file.ts';
import { columnsOf, copyTable } from './table-copy.ts';

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

/** Why a move failed. Except for `CommitUnconfirmed`, nothing has changed. */
export type MoveError =
  | { readonly type: 'OrganizationNotFound' }
  | { readonly type: 'SameDatabase' }
  /** The databases have different migrations. */
  | { readonly type: 'SchemasDiffer' }
  /** Members without a verified account in the target database. */
  | { readonly type: 'AccountsMissing'; readonly emails: readonly string[] }
  /** Members who are blocked in the source database, but not in the target. */
  | { readonly type: 'AccountsNotBlocked'; readonly emails: readonly string[] }
  /** The target database contains a row with the same key. */
  | { readonly type: 'KeyTaken'; readonly constraint: string }
  /** The copied rows differ from the originals. */
  | { readonly type: 'CopyDiffers'; readonly table: string }
  /** A commit failed without an answer, so the organization may be in both databases. */
  | { readonly type: 'CommitUnconfirmed'; readonly number: number };

/**
 * Moves an organization to another database, keeping all ids except, optionally, its own. Meanwhile writes in the
 * organization wait until their timeout, and reads continue. The target commits first, so a failure between the two
 * commits leaves the organization in both databases, never in none.
 */
export const moveOrganization = (move: OrganizationMove): Promise<Result<MovedOrganization, MoveError>> =>
  connected(move.from, (source) =>
    connected(move.to, async (target) => {
      for (const client of [source, target]) await runFile(client, 'moves/begin.sql');
      try {
        const moved = await moveBetween({ ...move, source, target });
        if (moved.isErr() || move.isRehearsal) return moved;
        return await commitBoth(source, target, moved.value);
      } catch (error) {
        const constraint = duplicateKey(error);
        if (constraint === undefined) throw error;
        return err({ type: 'KeyTaken', constraint });
      }
    }),
  );

interface OpenMove extends OrganizationMove {
  readonly source: Client;
  readonly target: Client;
}

async function moveBetween(move: OpenMove): Promise<Result<MovedOrganization, MoveError>> {
  const { source, target, organization, operator } = move;
  if (await isSameDatabase(source, target)) return err({ type: 'SameDatabase' });
  const name = await lockOrganization(source, organization);
  if (name === undefined) return err({ type: 'OrganizationNotFound' });
  if ((await migrationsOf(source)) !== (await migrationsOf(target))) return err({ type: 'SchemasDiffer' });
  const { missing, unblocked } = await matchAccounts(source, target, organization);
  if (missing.length > 0) return err({ type: 'AccountsMissing', emails: missing });
  if (unblocked.length > 0) return err({ type: 'AccountsNotBlocked', emails: unblocked });
  const number = await addOrganization(move);
  await runFile(source, 'moves/prepare-source.sql');
  await runFile(target, 'moves/defer-references.sql');
  const sides = { source: { client: source, organization }, target: { client: target, organization: number } };
  const rows: Record<string, number> = {};
  for (const table of movedTables) {
    const count = await copyTable(sides, table);
    if (count === undefined) return err({ type: 'CopyDiffers', table: table.name });
    rows[table.name] = count;
  }
  const action = { action: 'organization.moved', operator } as const;
  await addAuditEntry(target, { ...action, organization: number, objects: { from: String(organization) } });
  await deleteOrganization(source, organization);
  const objects = { organization: String(organization), name };
  await addAuditEntry(source, { ...action, organization: null, objects });
  return ok({ name, number, rows });
}

/** Whether both connections see the same locks. URLs do not show it: a database has several addresses. */
async function isSameDatabase(source: Client, target: Client): Promise<boolean> {
  const { lock } = await rowOf<{ lock: string }>(source, 'moves/new-lock.sql');
  const { locked } = await rowOf<{ locked: boolean }>(target, 'moves/try-lock.sql', { lock });
  return !locked;
}

/** The applied migrations; an empty text for a database without a schema. */
async function migrationsOf(client: Client): Promise<string> {
  const { hasSchema } = await rowOf<{ hasSchema: boolean }>(client, 'moves/has-schema.sql');
  if (!hasSchema) return '';
  const { names } = await rowOf<{ names: string | null }>(client, 'moves/migrations.sql');
  return names ?? '';
}

/** Copies the organization's own row. Resolves to its number in the target. */
async function addOrganization({ source, target, organization, keepsNumber }: OpenMove): Promise<number> {
  const names = (await columnsOf(source, 'organizations')).map(({ name }) => name);
  const columns = names.filter((name) => keepsNumber || name !== 'id');
  const { row } = await rowOf<{ row: string }>(source, 'moves/organization.sql', { organization });
  const { id } = await rowOf<{ id: number }>(target, 'moves/add-organization.sql', { columns, row });
  return id;
}

async function commitBoth(
  source: Client,
  target: Client,
  moved: MovedOrganization,
): Promise<Result<MovedOrganization, MoveError>> {
  try {
    await runFile(target, 'transactions/commit.sql');
    await runFile(source, 'transactions/commit.sql');
    return ok(moved);
  } catch (error) {
    // A violated constraint is an answer: the target has rolled back.
    if (duplicateKey(error) !== undefined) throw error;
    return err({ type: 'CommitUnconfirmed', number: moved.number });
  }
}

/** The violated unique constraint. */
function duplicateKey(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === '23505')) return undefined;
  return 'constraint' in error ? String(error.constraint) : undefined;
}

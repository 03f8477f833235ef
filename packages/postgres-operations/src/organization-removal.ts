import type { AuditAction, Operator, OrganizationId } from '@zonewright/core';
import { connected } from '@zonewright/postgres';
import type { Client } from 'pg';
import { lockedTables } from './moved-tables.ts';
import { rowsOf, runFile } from './run-file.ts';

/**
 * Deletes an organization with its zones and backends. The clean-up later deletes the zones' history in batches.
 * Succeeds if there is no such organization.
 */
export const removeOrganization = (url: string, organization: OrganizationId, operator: Operator): Promise<void> =>
  connected(url, async (client) => {
    await runFile(client, 'transactions/begin-unlimited.sql');
    const name = await lockOrganization(client, organization);
    if (name !== undefined) {
      await deleteOrganization(client, organization);
      const objects = { organization: String(organization), name };
      await addAuditEntry(client, { action: 'organization.deleted', organization: null, objects, operator });
    }
    await runFile(client, 'transactions/commit.sql');
  });

/** Waits for running writes and blocks new ones. Resolves to the organization's name, if it exists. */
export async function lockOrganization(client: Client, organization: OrganizationId): Promise<string | undefined> {
  await runFile(client, 'removal/lock-clean-up.sql');
  const [row] = await rowsOf<{ name: string }>(client, 'removal/lock-organization.sql', { organization });
  for (const table of lockedTables) await runFile(client, 'removal/lock-rows.sql', { table, organization });
  return row?.name;
}

/** Deletes the rows of a locked organization. */
export const deleteOrganization = (client: Client, organization: OrganizationId): Promise<void> =>
  runFile(client, 'removal/delete-organization.sql', { organization });

/** An operator's action, recorded in an organization's log or, with null, only in that of the installation. */
interface OperatorAction {
  readonly action: AuditAction;
  readonly organization: number | null;
  readonly objects: Readonly<Record<string, string>>;
  readonly operator: Operator;
}

/** Adds an entry to the audit log. */
export const addAuditEntry = (client: Client, { operator, ...action }: OperatorAction): Promise<void> =>
  runFile(client, 'removal/add-audit-entry.sql', { ...action, userAgent: operator.userAgent });

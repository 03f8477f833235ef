import type { AuditAction, Operator, OrganizationId } from '@zonewright/core';
import { connected } from '@zonewright/postgres';
import type { Client } from 'pg';
import { rowsOf, runFile } from './run-file.ts';

/** Every write to an organization locks a row in one of these tables, so locking all their rows blocks writes. */
const lockedTables = [
  'memberships',
  'origin_servers',
  'load_balancers',
  'domains',
  'zones',
  'zone_identities',
] as const;

/**
 * Deletes an organization with its zones and backends. The clean-up later deletes the zones' history in batches.
 * Succeeds if there is no such organization.
 */
export const removeOrganization = (url: string, organization: OrganizationId, operator: Operator): Promise<void> =>
  connected(url, async (client) => {
    await runFile(client, 'transactions/begin-unlimited.sql');
    const name = await lockOrganization(client, organization);
    if (name !== undefined) {
      await runFile(client, 'removal/delete-organization.sql', { organization });
      const objects = { organization: String(organization), name };
      await addAuditEntry(client, { action: 'organization.deleted', organization: null, objects, operator });
    }
    await runFile(client, 'transactions/commit.sql');
  });

/** Waits for running writes and blocks new ones. Resolves to the organization's name, if it exists. */
async function lockOrganization(client: Client, organization: OrganizationId): Promise<string | undefined> {
  await runFile(client, 'removal/lock-clean-up.sql');
  const [row] = await rowsOf<{ name: string }>(client, 'removal/lock-organization.sql', { organization });
  for (const table of lockedTables) await runFile(client, 'removal/lock-rows.sql', { table, organization });
  return row?.name;
}

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

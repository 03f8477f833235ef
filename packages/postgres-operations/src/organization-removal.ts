import type { AuditAction, Operator, OrganizationId } from '@zonewright/core';
import { connected, withoutTimeLimits } from '@zonewright/postgres';
import { type Client, escapeIdentifier } from 'pg';
import { lockedTables } from './moved-tables.ts';

/**
 * Deletes an organization with its zones and backends. The clean-up later deletes the zones' history in batches.
 * Succeeds if there is no such organization.
 */
export const removeOrganization = (url: string, organization: OrganizationId, operator: Operator): Promise<void> =>
  connected(url, async (client) => {
    await client.query(`BEGIN; ${withoutTimeLimits}`);
    const name = await lockOrganization(client, organization);
    if (name !== undefined) {
      await deleteOrganization(client, organization);
      const objects = { organization: String(organization), name };
      await addAuditEntry(client, { action: 'organization.deleted', organization: null, objects, operator });
    }
    await client.query('COMMIT');
  });

/** Waits for running writes and blocks new ones. Resolves to the organization's name, if it exists. */
export async function lockOrganization(client: Client, organization: OrganizationId): Promise<string | undefined> {
  // Keeps the clean-up from deleting rows meanwhile.
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('zonewright clean-up', 0))`);
  const { rows } = await client.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1 FOR UPDATE', [
    organization,
  ]);
  for (const table of lockedTables) {
    await client.query(`SELECT FROM ${escapeIdentifier(table)} WHERE organization_id = $1 FOR UPDATE`, [organization]);
  }
  return rows[0]?.name;
}

/** Deletes the rows of a locked organization. */
export async function deleteOrganization(client: Client, organization: OrganizationId): Promise<void> {
  // The organization's cascade omits zones, and could reach origin servers before the load balancers that use them.
  await client.query('DELETE FROM zones WHERE organization_id = $1', [organization]);
  await client.query('DELETE FROM load_balancers WHERE organization_id = $1', [organization]);
  await client.query('DELETE FROM organizations WHERE id = $1', [organization]);
}

/** An operator's action, recorded in an organization's log or, with null, only in that of the installation. */
interface OperatorAction {
  readonly action: AuditAction;
  readonly organization: number | null;
  readonly objects: Readonly<Record<string, string>>;
  readonly operator: Operator;
}

/** Adds an entry to the audit log. */
export async function addAuditEntry(
  client: Client,
  { action, organization, objects, operator }: OperatorAction,
): Promise<void> {
  await client.query('INSERT INTO audit_log (action, organization_id, objects, user_agent) VALUES ($1, $2, $3, $4)', [
    action,
    organization,
    JSON.stringify(objects),
    operator.userAgent,
  ]);
}

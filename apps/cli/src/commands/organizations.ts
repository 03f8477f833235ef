import type { OrganizationEntry } from '@zonewright/core';
import { batches } from '../batches.ts';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';

/** Lists all organizations with their members and zones. */
export async function listOrganizations({ unitOfWork }: Installation): Promise<Report> {
  const entries: OrganizationEntry[] = [];
  for await (const some of batches<OrganizationEntry>((batch) =>
    unitOfWork.view(({ directory }) => directory.organizations(batch)),
  )) {
    entries.push(...some);
  }
  const rows = entries.map(({ id, name, members, zones, enforceTwoFactor }) => [
    id,
    name,
    members,
    zones,
    enforceTwoFactor ? 'demanded' : '',
  ]);
  return {
    json: entries.map(({ limits: _, ...entry }) => entry),
    lines: table(['id', 'name', 'members', 'zones', 'second factor'], rows),
  };
}

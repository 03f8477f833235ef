import type { OrganizationEntry } from '@zonewright/core';
import { batches } from '../batches.ts';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';

/** Lists all organizations with their members and zones. */
export async function listOrganizations({ unitOfWork }: Installation): Promise<Report> {
  const found: OrganizationEntry[] = [];
  for await (const some of batches<OrganizationEntry>((batch) =>
    unitOfWork.view(({ directory }) => directory.organizations(batch)),
  )) {
    found.push(...some);
  }
  const rows = found.map(({ id, name, members, zones, enforceTwoFactor }) => [
    id,
    name,
    members,
    zones,
    enforceTwoFactor ? 'demanded' : '',
  ]);
  return {
    json: found.map(({ limits: _, ...entry }) => entry),
    lines: table(['id', 'name', 'members', 'zones', 'second factor'], rows),
  };
}

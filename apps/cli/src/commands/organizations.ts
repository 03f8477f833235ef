import type { OrganizationEntry } from '@zonewright/core';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';
import { stretches } from '../stretches.ts';

/** Lists all organizations with their members and zones. */
export async function listOrganizations({ unitOfWork }: Installation): Promise<Report> {
  const found: OrganizationEntry[] = [];
  for await (const some of stretches<OrganizationEntry>((stretch) =>
    unitOfWork.view(({ directory }) => directory.organizations(stretch)),
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

import type { MemberEntry, OrganizationEntry } from '@zonewright/core';
import { everyItem } from '../batches.ts';
import { accepted } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';
import { parseOrganizationId } from './organization-id.ts';

/** Lists all organizations with their members and zones. */
export async function listOrganizations({ unitOfWork }: Installation): Promise<Report> {
  const organizations = await everyItem<OrganizationEntry>((batch) =>
    unitOfWork.view(({ directory }) => directory.organizations(batch)),
  );
  const rows = organizations.map(({ id, name, members, zones, enforceTwoFactor }) => [
    id,
    name,
    members,
    zones,
    enforceTwoFactor ? 'required' : '',
  ]);
  return {
    json: organizations.map(({ limits: _, ...entry }) => entry),
    lines: table(['id', 'name', 'members', 'zones', 'second factor'], rows),
  };
}

/** Lists the members of an organization with their roles. */
export async function listMembers(
  { unitOfWork }: Installation,
  { organization }: { readonly organization: number },
): Promise<Report> {
  const id = parseOrganizationId(organization);
  await accepted(unitOfWork.view(({ organizations }) => organizations.byId(id)));
  const members = await everyItem<MemberEntry>((batch) =>
    unitOfWork.view(({ directory }) => directory.members(id, batch)),
  );
  const rows = members.map(({ id: user, email, firstName, lastName, role, joinedAt, twoFactorEnabled }) => [
    user,
    email,
    `${firstName} ${lastName}`,
    role,
    joinedAt.toISOString().slice(0, 10),
    twoFactorEnabled ? 'on' : 'off',
  ]);
  return { json: members, lines: table(['id', 'email', 'name', 'role', 'joined', 'second factor'], rows) };
}

import { removeOrganization } from '@zonewright/postgres-operations';
import { accepted } from '../failure.ts';
import type { Installation } from '../installation.ts';
import type { Report } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { parseOrganizationId } from './organization-id.ts';

/** Deletes an organization with everything in it, after confirmation. */
export async function deleteOrganization(
  { directUrl, operator, ports }: Installation,
  { organization }: { readonly organization: number },
  terminal: Terminal,
): Promise<Report> {
  const id = parseOrganizationId(organization);
  const { name, zones } = await accepted(
    ports.unitOfWork.view(({ organizations, zones: all }) =>
      organizations
        .byId(id)
        .andThen((organization) => all.count(id).map((count) => ({ name: organization.name, zones: count }))),
    ),
  );
  await terminal.confirm(`Delete organization ${id} (${name}) with ${zones} zones? They cannot be restored.`);
  await removeOrganization(directUrl, id, operator);
  return {
    json: { organization: id, name, zones },
    lines: [`Deleted organization ${id} (${name}) with ${zones} zones.`],
  };
}

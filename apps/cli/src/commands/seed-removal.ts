import type { AccountEntry, OrganizationEntry } from '@zonewright/core';
import { removeAccount, removeOrganization } from '@zonewright/postgres-operations';
import { everyItem } from '../batches.ts';
import { accepted } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { counted, type Report } from '../report.ts';
import type { Terminal } from '../terminal.ts';

/** Nobody else can have these addresses: mail to example.com reaches no one (RFC 2606). */
const isDemoUser = ({ email, firstName, lastName }: AccountEntry): boolean =>
  /^demo-[0-9a-f]{8}@example\.com$/.test(email) && `${firstName} ${lastName}` === 'Demo User';

const isNamedAsDemo = ({ name }: OrganizationEntry): boolean => /^Demo (?:User|\d+)$/.test(name);

/**
 * Deletes what `seed` has created, after confirmation: demonstration users, and the organizations that have no other
 * member. Organizations that others have joined stay.
 */
export async function removeSeeds(installation: Installation, terminal: Terminal): Promise<Report> {
  const { unitOfWork, directUrl, operator } = installation;
  const users = await everyItem<AccountEntry>(
    (batch) => unitOfWork.view(({ directory }) => directory.accounts(batch)),
    isDemoUser,
  );
  const organizations = await demoOrganizations(installation, new Set(users.map(({ id }) => id)));
  const zones = organizations.reduce((sum, organization) => sum + organization.zones, 0);
  const contents = `${counted(users.length, 'demonstration user')} with ${counted(organizations.length, 'organization')} and ${counted(zones, 'zone')}`;
  if (users.length > 0) await terminal.confirm(`Delete ${contents}? They cannot be restored.`);
  const progress = terminal.progress('organizations', organizations.length);
  for (const { id } of organizations) {
    await removeOrganization(directUrl, id, operator);
    progress.advance();
  }
  progress.end();
  for (const { id } of users) await removeAccount(directUrl, id, operator);
  return { json: { users: users.length, organizations: organizations.length, zones }, lines: [`Deleted ${contents}.`] };
}

/** The organizations named like those of `seed` whose only member is one of the users. */
async function demoOrganizations(
  { unitOfWork }: Installation,
  users: ReadonlySet<string>,
): Promise<readonly OrganizationEntry[]> {
  const candidates = await everyItem<OrganizationEntry>(
    (batch) => unitOfWork.view(({ directory }) => directory.organizations(batch)),
    (organization) => isNamedAsDemo(organization) && organization.members === 1,
  );
  const owned: OrganizationEntry[] = [];
  for (const organization of candidates) {
    const [member] = await accepted(
      unitOfWork.view(({ directory }) => directory.members(organization.id, { after: undefined, limit: 1 })),
    );
    if (member !== undefined && users.has(member.id)) owned.push(organization);
  }
  return owned;
}

import { administration, IdentityId } from '@zonewright/core';
import { accepted, CommandFailure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { findUser } from './users.ts';

/** Lists the identities at providers that sign in to an account. */
export async function listProvidersOf(installation: Installation, name: string): Promise<Report> {
  const { id } = await findUser(installation, name);
  const identities = await accepted(administration(installation.ports).listIdentitiesOf(id));
  const rows = identities.map((each) => [
    each.id,
    each.provider,
    each.email ?? '',
    each.connectedAt.toISOString(),
    each.lastUsedAt?.toISOString() ?? 'never',
  ]);
  return { json: identities, lines: table(['id', 'provider', 'email', 'linked', 'last used'], rows) };
}

/** Unlinks an identity from an account, after confirmation. */
export async function removeProviderOf(
  installation: Installation,
  { user, identity }: { readonly user: string; readonly identity: string },
  terminal: Terminal,
): Promise<Report> {
  const { id, email } = await findUser(installation, user);
  const linked = IdentityId.safeParse(identity).data;
  if (linked === undefined) throw new CommandFailure([`There is no linked identity ${JSON.stringify(identity)}.`]);
  await terminal.confirm(`Unlink ${linked} from ${email}? Make sure that the request really comes from them.`);
  await accepted(administration(installation.ports).removeIdentity(installation.operator, id, linked));
  return {
    json: { id, unlinked: linked },
    lines: [`${email} can no longer sign in by it. They are notified by mail, and can request a new password.`],
  };
}

import { administration, PasskeyId } from '@zonewright/core';
import { accepted, CommandFailure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { findUser } from './users.ts';

/** Arguments for the passkeys of a user. */
export interface PasskeyArguments {
  readonly user: string;
  /** The id of a passkey to remove. */
  readonly remove: string | undefined;
}

/** Lists the passkeys of a user, or removes one after confirmation. */
export const passkeysOfUser = (
  installation: Installation,
  { user, remove }: PasskeyArguments,
  terminal: Terminal,
): Promise<Report> =>
  remove === undefined ? listPasskeys(installation, user) : removePasskey(installation, user, remove, terminal);

async function listPasskeys(installation: Installation, name: string): Promise<Report> {
  const { id: user } = await findUser(installation, name);
  const passkeys = await accepted(administration(installation.ports).listPasskeysOf(user));
  const shown = passkeys.map(({ id, name: label, createdAt, lastUsedAt, backedUp }) => ({
    id,
    name: label,
    createdAt: createdAt.toISOString(),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
    backedUp,
  }));
  const rows = shown.map((each) => [each.id, each.name, each.createdAt, each.lastUsedAt ?? 'never']);
  return { json: shown, lines: table(['id', 'name', 'added', 'last used'], rows) };
}

async function removePasskey(
  installation: Installation,
  name: string,
  passkey: string,
  terminal: Terminal,
): Promise<Report> {
  const { id: user, email } = await findUser(installation, name);
  const id = PasskeyId.safeParse(passkey).data;
  if (id === undefined) throw new CommandFailure([`${JSON.stringify(passkey)} is not the id of a passkey.`]);
  await terminal.confirm(`Remove the passkey from ${email}? Make sure that the request really comes from them.`);
  await accepted(administration(installation.ports).removePasskeyOf(installation.operator, user, id));
  return { json: { id: user, passkey: id }, lines: [`The passkey is removed. ${email} is notified by mail.`] };
}

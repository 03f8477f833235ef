import {
  type AccountEntry,
  administration,
  Email,
  NewUser,
  type Profile,
  parse,
  searchKey,
  UserId,
  useCases,
} from '@zonewright/core';
import { everyItem } from '../batches.ts';
import { accepted, acceptedArguments, CommandFailure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';
import type { Terminal } from '../terminal.ts';

/** Arguments for creating a user. */
export interface NewUserArguments {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Whether to read a password from standard input. */
  readonly passwordStdin: boolean;
}

/** Creates an account. Without a password, its owner gets a mail with a link to choose one. */
export async function createUser(
  { ports, operator }: Installation,
  { passwordStdin, ...args }: NewUserArguments,
  terminal: Terminal,
): Promise<Report> {
  const password = passwordStdin ? { password: (await terminal.input()).replace(/\r?\n$/, '') } : {};
  const user = await acceptedArguments(parse(NewUser, { ...args, ...password }));
  const { id } = await accepted(administration(ports).createUser(operator, user));
  const next = passwordStdin ? 'They can sign in right away.' : 'A mail with a link to choose a password is queued.';
  return { json: { id, email: args.email }, lines: [`Created user ${id} (${args.email}). ${next}`] };
}

/** The account with this id or address. */
export async function findUser({ ports }: Installation, name: string): Promise<Profile> {
  const email = Email.safeParse(name).data;
  const id =
    UserId.safeParse(name).data ??
    (email === undefined ? undefined : await accepted(useCases(ports).findAccount(email)));
  if (id === undefined) throw new CommandFailure([`There is no account ${JSON.stringify(name)}.`]);
  return accepted(ports.unitOfWork.view(({ accounts }) => accounts.profile(id)));
}

/** Lists all accounts, or those with `search` in their address or name, whatever the case. */
export async function listUsers({ unitOfWork }: Installation, search = ''): Promise<Report> {
  const text = searchKey(search);
  const users = await everyItem<AccountEntry>(
    (batch) => unitOfWork.view(({ directory }) => directory.accounts(batch)),
    ({ email, firstName, lastName }) => searchKey(`${email} ${firstName} ${lastName}`).includes(text),
  );
  const rows = users.map((user) => [
    user.id,
    user.email,
    `${user.firstName} ${user.lastName}`,
    stateOf(user),
    user.twoFactorEnabled ? 'on' : 'off',
    user.organizations,
  ]);
  return { json: users, lines: table(['id', 'email', 'name', 'state', 'second factor', 'organizations'], rows) };
}

function stateOf({ active, emailVerified }: AccountEntry): string {
  if (!active) return 'blocked';
  return emailVerified ? 'active' : 'unverified';
}

/** Shows an account. */
export async function showUser(installation: Installation, name: string): Promise<Report> {
  const profile = await findUser(installation, name);
  const { id, email, firstName, lastName, active, emailVerified, twoFactorEnabled, hasPassword } = profile;
  const createdAt = profile.createdAt.toISOString();
  const shown = { id, email, firstName, lastName, active, emailVerified, twoFactorEnabled, hasPassword, createdAt };
  return { json: shown, lines: Object.entries(shown).map(([member, value]) => `${member}: ${String(value)}`) };
}

/** Blocks an account, after confirmation. */
export async function blockUser(installation: Installation, name: string, terminal: Terminal): Promise<Report> {
  const { id, email } = await findUser(installation, name);
  await terminal.confirm(`Block ${email}? All their requests will be refused.`);
  const was = await accepted(administration(installation.ports).blockUser(installation.operator, id));
  return {
    json: { id, blocked: true, changed: !was },
    lines: [`${email} ${was ? 'was blocked already' : 'is blocked'}.`],
  };
}

/** Unblocks an account. */
export async function unblockUser(installation: Installation, name: string): Promise<Report> {
  const { id, email } = await findUser(installation, name);
  const was = await accepted(administration(installation.ports).unblockUser(installation.operator, id));
  const outcome = was ? 'is no longer blocked and has to sign in again' : 'was not blocked';
  return { json: { id, blocked: false, changed: was }, lines: [`${email} ${outcome}.`] };
}

/** Ends all sessions of a user, after confirmation. */
export async function endSessions(installation: Installation, name: string, terminal: Terminal): Promise<Report> {
  const { id, email } = await findUser(installation, name);
  await terminal.confirm(`Sign ${email} out everywhere?`);
  await accepted(administration(installation.ports).endAllSessions(installation.operator, id));
  return { json: { id }, lines: [`All sessions of ${email} have ended. API tokens still work.`] };
}

/** Disables a user's second factor, after confirmation. */
export async function removeSecondFactor(
  installation: Installation,
  name: string,
  terminal: Terminal,
): Promise<Report> {
  const { id, email } = await findUser(installation, name);
  await terminal.confirm(`Turn off the second factor of ${email}? Make sure that the request really comes from them.`);
  await accepted(administration(installation.ports).removeSecondFactor(installation.operator, id));
  return { json: { id }, lines: [`The second factor of ${email} is off. They are notified by mail.`] };
}

import { administration, type OrganizationsNeedOwner } from '@zonewright/core';
import { accepted, CommandFailure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import type { Report } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { findUser } from './users.ts';

/** Erases a person, after confirmation. */
export async function eraseUser(installation: Installation, name: string, terminal: Terminal): Promise<Report> {
  const { id, email } = await findUser(installation, name);
  await terminal.confirm(
    `Erase ${email}? Their name, address, sessions, credentials and tokens go for good, and what they have made has no author.`,
  );
  const erased = await administration(installation.ports).eraseUser(installation.operator, id);
  if (erased.isErr() && erased.error.type === 'OrganizationsNeedOwner') throw ownerNeeded(erased.error);
  await accepted(erased);
  return { json: { id, erased: true }, lines: [`Erased ${id}. The audit log keeps this id until its retention ends.`] };
}

const ownerNeeded = ({ organizations }: OrganizationsNeedOwner): CommandFailure =>
  new CommandFailure([
    ...organizations.map(
      ({ id, name, others, zones }) =>
        `They are the only owner of organization ${id} (${name}), which has ${others} other members and ${zones} zones.`,
    ),
    'Let them make somebody else an owner first, or delete the organization: "zonewright organizations delete <organization>".',
  ]);

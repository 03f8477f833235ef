import {
  type MovedOrganization,
  type MoveError,
  moveOrganization,
  removeOrganization,
} from '@zonewright/postgres-operations';
import { accepted, CommandFailure, exitCodes } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { type Report, table } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { parseOrganizationId } from './organization-id.ts';

/** Holds the URL of the other database: command-line arguments are visible to all users of the machine. */
export const targetVariable = 'TARGET_DATABASE_URL';

/** The organization, its target and options. */
interface MoveArguments {
  readonly organization: number;
  readonly keepNumber: boolean;
  readonly dryRun: boolean;
}

/** Moves an organization to the database of another installation, after confirmation. */
export async function moveToOther(
  { directUrl, operator }: Installation,
  { organization, keepNumber, dryRun }: MoveArguments,
  to: string | undefined,
  terminal: Terminal,
): Promise<Report> {
  const id = parseOrganizationId(organization);
  const place = placeOf(to);
  await terminal.confirm(
    `${dryRun ? 'Rehearse the move of' : 'Move'} organization ${id} to ${place}? Meanwhile, writes in it wait or fail.`,
  );
  const moved = await moveOrganization({
    organization: id,
    from: directUrl,
    to: to ?? '',
    keepsNumber: keepNumber,
    isRehearsal: dryRun,
    operator,
  });
  return moved.match(
    (result) => reportOf(result, dryRun, place),
    (error) => {
      throw new CommandFailure(explain(error));
    },
  );
}

/** The location of the other database, without its password. */
function placeOf(to: string | undefined): string {
  const url = to !== undefined && URL.canParse(to) ? new URL(to) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new CommandFailure([`${targetVariable} is not the URL of a PostgreSQL database.`], exitCodes.misused);
  }
  return `${url.host}${url.pathname}`;
}

function reportOf({ name, number, rows }: MovedOrganization, isRehearsal: boolean, place: string): Report {
  const outcome = isRehearsal
    ? `Nothing was changed. ${name} can be moved to ${place}.`
    : `Moved ${name} to ${place}, where it is organization ${number}.`;
  return {
    json: { name, number, moved: !isRehearsal, rows },
    lines: [outcome, ...table(['table', 'rows'], Object.entries(rows))],
  };
}

function explain(error: MoveError): readonly string[] {
  switch (error.type) {
    case 'OrganizationNotFound':
      return ['There is no such organization.'];
    case 'SameDatabase':
      return [`${targetVariable} is the database of this installation.`];
    case 'SchemasDiffer':
      return ['The databases have different migrations. Bring both installations to the same version first.'];
    case 'AccountsMissing':
      return ['These members have no verified account at the other installation:', ...error.emails];
    case 'AccountsNotBlocked':
      return [
        'These members are blocked here, but not at the other installation. Block them there, or remove them here:',
        ...error.emails,
      ];
    case 'KeyTaken':
      return [
        `The other database has a row with the same key (${error.constraint}). Nothing was changed.`,
        'If the organization was there before, run "zonewright clean-up" there, which deletes its remaining rows.',
      ];
    case 'CopyDiffers':
      return [`The copy of ${error.table} differs from the original. Nothing was changed.`];
    case 'CommitUnconfirmed':
      return [
        `A database did not confirm its commit, so the organization may be at both installations (number ${error.number} at the other).`,
        'Run the command again with --dry-run, which waits for the commit. "There is no such organization" means that the move is complete.',
        `Otherwise run "zonewright organizations delete ${error.number}" at the other installation, if the organization is there, and move it again.`,
      ];
  }
}

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

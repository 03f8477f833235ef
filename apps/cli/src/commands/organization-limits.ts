import { administration, organizationLimitNames } from '@zonewright/core';
import type { Argv } from 'yargs';
import { acceptedArguments } from '../failure.ts';
import type { Installation } from '../installation.ts';
import type { Report } from '../report.ts';
import { type LimitArguments, limitChangesIn, shownLimits, withLimitOptions } from './limit-options.ts';
import { parseOrganizationId } from './organization-id.ts';

/** Declares one option per limit. */
export const limitOptions = (command: Argv) =>
  withLimitOptions(
    command.positional('organization', { type: 'number', demandOption: true, describe: 'Its number' }),
    organizationLimitNames,
  );

/** Changes the given limits of an organization, then shows all of them. */
export async function limitsOfOrganization(
  { ports, operator }: Installation,
  args: LimitArguments & { readonly organization: number },
): Promise<Report> {
  const id = parseOrganizationId(args.organization);
  const changes = limitChangesIn(organizationLimitNames, args);
  const { changeOrganizationLimits, readOrganizationLimits } = administration(ports);
  const found = await acceptedArguments(
    Object.keys(changes).length === 0 ? readOrganizationLimits(id) : changeOrganizationLimits(operator, id, changes),
  );
  const { limits, lines } = shownLimits(organizationLimitNames, found, 'this organization');
  return { json: { organization: id, limits }, lines };
}

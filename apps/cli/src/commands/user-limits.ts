import { administration, userLimitNames } from '@zonewright/core';
import { acceptedArguments } from '../failure.ts';
import type { Installation } from '../installation.ts';
import type { Report } from '../report.ts';
import { type LimitArguments, limitChangesIn, shownLimits } from './limit-options.ts';
import { findUser } from './users.ts';

/** Changes the given limits of a user, then shows all of them. */
export async function limitsOfUser(
  installation: Installation,
  args: LimitArguments & { readonly user: string },
): Promise<Report> {
  const { ports, operator } = installation;
  const changes = limitChangesIn(userLimitNames, args);
  const { id } = await findUser(installation, args.user);
  const found = await acceptedArguments(administration(ports).changeUserLimits(operator, id, changes));
  const { limits, lines } = shownLimits(userLimitNames, found, 'this user');
  return { json: { user: id, limits }, lines };
}

import { OrganizationId } from '@zonewright/core';
import { CommandFailure, exitCodes } from '../failure.ts';

/** The organization of an argument, by its number. */
export function organizationOf(given: number): OrganizationId {
  const id = OrganizationId.safeParse(given).data;
  if (id === undefined) throw new CommandFailure(['Name the organization by its number.'], exitCodes.misused);
  return id;
}

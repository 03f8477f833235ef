import { OrganizationId } from '@zonewright/core';
import { CommandFailure, exitCodes } from '../failure.ts';

/** Parses an organization number. */
export function parseOrganizationId(input: number): OrganizationId {
  const id = OrganizationId.safeParse(input).data;
  if (id === undefined) throw new CommandFailure(['Name the organization by its number.'], exitCodes.misused);
  return id;
}

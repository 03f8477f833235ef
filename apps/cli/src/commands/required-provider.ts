import { administration } from '@zonewright/core';
import { accepted } from '../failure.ts';
import type { Installation } from '../installation.ts';
import type { Report } from '../report.ts';
import { parseOrganizationId } from './organization-id.ts';

/** Lifts the requirement of an organization if requested, then shows which provider its members must sign in by. */
export async function providerOf(
  { ports, operator }: Installation,
  args: { readonly organization: number; readonly none: boolean },
): Promise<Report> {
  const organization = parseOrganizationId(args.organization);
  if (args.none) await accepted(administration(ports).liftRequiredProvider(operator, organization));
  const { requiredProvider = null } = await accepted(
    ports.unitOfWork.view(({ organizations }) => organizations.byId(organization)),
  );
  return {
    json: { organization, requiredProvider },
    lines: [
      requiredProvider === null
        ? `Members of organization ${organization} may sign in as they like.`
        : `Members of organization ${organization} must sign in by ${requiredProvider}.`,
    ],
  };
}

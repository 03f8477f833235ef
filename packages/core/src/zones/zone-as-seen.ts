import { permits } from '../organizations/role.ts';
import type { Caller } from '../sessions/caller.ts';
import { maskedBanToken, type Zone } from './zone.ts';

/** The zone as the caller may see it: the ban token is masked for those who may not purge. */
export function zoneAsSeenBy(caller: Caller, zone: Zone): Zone {
  const membership = caller.memberships.get(zone.organizationId);
  return membership !== undefined && permits(membership.role, 'banToken.read')
    ? zone
    : { ...zone, banToken: maskedBanToken };
}

import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import { maskedBanToken, type Zone } from './zone.ts';

/** The zone as the caller may see it: the ban token is masked for those who may not purge, read-only API tokens included. */
export const zoneAsSeenBy = (caller: Caller, zone: Zone): Zone =>
  mayIn(caller, zone.organizationId, 'banToken.read').isOk() ? zone : masked(zone);

/** Each zone is masked once, so that what is made of the result can be remembered. */
const maskedZones = new WeakMap<Zone, Zone>();

function masked(zone: Zone): Zone {
  const known = maskedZones.get(zone);
  if (known !== undefined) return known;
  const made = { ...zone, banToken: maskedBanToken };
  maskedZones.set(zone, made);
  return made;
}

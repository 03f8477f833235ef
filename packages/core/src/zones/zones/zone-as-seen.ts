import { memoized } from '../../kernel/shared/memoized.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { mayIn } from '../../organizations/access/permissions.ts';
import { maskedBanToken } from './ban-token.ts';
import type { Zone } from './zone.ts';

/** The zone as the caller may see it: the ban token is masked unless they may purge; read-only API tokens may not. */
export const zoneAsSeenBy = (caller: Caller, zone: Zone): Zone =>
  mayIn(caller, zone.organizationId, 'banToken.read').isOk() ? zone : maskedZone(zone);

/** The zone with its ban token masked. */
export const maskedZone = memoized((zone: Zone): Zone => ({ ...zone, banToken: maskedBanToken }));

import type { ResultAsync } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { newBanToken } from '../zones/ban-token.ts';
import { type Zone, zoneVersion } from '../zones/zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { zoneAsSeenBy } from '../zones/zone-as-seen.ts';
import { changeZone, type ZoneChangeRepositories } from './change-zone.ts';

/**
 * Replaces a zone's ban token; the old one becomes invalid. History records that this secret changed, but not its value.
 */
export const rotateBanToken =
  ({ unitOfWork, randomness }: Pick<Dependencies<ZoneChangeRepositories>, 'unitOfWork' | 'randomness'>) =>
  (
    caller: Caller,
    id: ZoneId,
    expected: ExpectedVersions,
  ): ResultAsync<Zone, ZoneAccessError | VersionMismatch | InvalidInput> => {
    const banToken = newBanToken(randomness);
    return changeZone(unitOfWork, caller, id, {
      permission: 'banToken.rotate',
      decide: ({ state: { zone } }) =>
        requireVersion(expected, zoneVersion(zone)).map(() => ({
          decided: { plan: { banToken }, action: 'zone.banTokenRotated', objects: {} },
        })),
    }).map(({ after }) => zoneAsSeenBy(caller, after.zone));
  };

import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { Dependencies } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { newBanToken } from '../zones/ban-token.ts';
import { type Zone, zoneVersion } from '../zones/zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { zoneAsSeenBy } from '../zones/zone-as-seen.ts';
import { changeZone } from './change-zone.ts';
import type { ZoneCommand } from './zone-command.ts';

/** Replaces a zone's ban token; the old one becomes invalid. */
export const rotateBanToken =
  ({ unitOfWork, randomness }: Pick<Dependencies, 'unitOfWork' | 'randomness'>) =>
  (
    caller: Caller,
    id: ZoneId,
    expected: ExpectedVersions,
  ): ResultAsync<Zone, ZoneAccessError | VersionMismatch | InvalidInput> =>
    changeZone(unitOfWork, caller, id, banTokenRotation(newBanToken(randomness), expected)).map(({ after }) =>
      zoneAsSeenBy(caller, after.zone),
    );

/** The command that replaces the ban token. History records that this secret changed, but not its value. */
const banTokenRotation = (banToken: string, expected: ExpectedVersions): ZoneCommand<VersionMismatch> => ({
  permission: 'banToken.rotate',
  decide: ({ state: { zone } }) =>
    requireVersion(expected, zoneVersion(zone)).map(() => ({
      decided: { plan: { banToken }, action: 'zone.banTokenRotated', objects: {} },
    })),
});

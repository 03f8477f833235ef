import { type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { recordChange } from '../history/record-change.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { newBanToken, type Zone, zoneVersion } from './zone.ts';
import { lockZoneFor, type ZoneAccessError } from './zone-access.ts';

export type RotateBanToken = (
  caller: Caller,
  id: ZoneId,
  expected: ExpectedVersions,
) => ResultAsync<Zone, ZoneAccessError | VersionMismatch>;

/** Gives a zone a fresh ban token; the old one is of no use from then on. */
export const rotateBanToken =
  ({ unitOfWork, randomness }: { unitOfWork: UnitOfWork; randomness: Randomness }): RotateBanToken =>
  (caller, id, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const zone = yield* lockZoneFor(repositories, caller, id, 'banToken.rotate');
        yield* requireVersion(expected, zoneVersion(zone));
        yield* repositories.zones.setBanToken(id, newBanToken(randomness));
        // The token is a secret: history says that it changed, not what it was.
        const action = 'zone.banTokenRotated';
        yield* recordChange(repositories, caller, zone, { action, objects: {}, before: {}, after: {} });
        return repositories.zones.lock(id);
      }),
    );

import { type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { zoneVersion } from './zone.ts';
import { lockZoneFor, type ZoneAccessError } from './zone-access.ts';

export type DeleteZone = (
  caller: Caller,
  id: ZoneId,
  expected: ExpectedVersions,
) => ResultAsync<void, ZoneAccessError | VersionMismatch>;

/** Deletes a zone and everything inside it. */
export const deleteZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): DeleteZone =>
  (caller, id, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const zone = yield* lockZoneFor(repositories, caller, id, 'zones.delete');
        yield* requireVersion(expected, zoneVersion(zone));
        const { organizationId: organization, name, tag } = zone;
        yield* record(repositories, caller, 'zone.deleted', { organization, objects: { zone: id, name, tag } });
        return repositories.zones.remove(id);
      }),
    );

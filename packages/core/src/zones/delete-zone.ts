import { type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { stillMayIn } from '../access/permissions.ts';
import { record } from '../audit/record.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { zoneVersion } from './zone.ts';
import type { ZoneAccessError } from './zone-access.ts';

/** Deletes a zone and everything in it. It can be restored for 30 days. */
export const deleteZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: Caller, id: ZoneId, expected: ExpectedVersions): ResultAsync<void, ZoneAccessError | VersionMismatch> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* repositories.zoneChanges.lock(id, caller.userId);
        const { state, membership } = yield* repositories.zoneChanges.facts(id, caller.userId);
        const { organizationId: organization, name, tag } = state.zone;
        yield* stillMayIn(caller, organization, membership, 'zones.delete');
        yield* requireVersion(expected, zoneVersion(state.zone));
        yield* record(repositories, caller, 'zone.deleted', { organization, objects: { zone: id, name, tag } });
        return repositories.zones.remove(id, caller.userId);
      }),
    );

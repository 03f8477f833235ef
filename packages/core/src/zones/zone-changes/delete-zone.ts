import { type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { stillMayIn } from '../../organizations/access/permissions.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import { record } from '../../organizations/audit/record.ts';
import type { Zones } from '../zones/ports.ts';
import { zoneVersion } from '../zones/zone.ts';
import { checkZoneAccess, type ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneChanges } from './ports.ts';

interface Repositories {
  readonly auditLog: AuditLog;
  readonly zoneChanges: ZoneChanges;
  readonly zones: Zones;
}

/** Deletes a zone and everything in it. It can be restored for 30 days. */
export const deleteZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (caller: Caller, id: ZoneId, expected: ExpectedVersions): ResultAsync<void, ZoneAccessError | VersionMismatch> =>
    checkZoneAccess({ unitOfWork })(caller, id, 'zones.delete').andThen(() =>
      unitOfWork.run((repositories) => removed(repositories, caller, id, expected)),
    );

/** Removes the zone, whose contents need not be read, once it is locked. */
const removed = (
  repositories: Repositories,
  caller: Caller,
  id: ZoneId,
  expected: ExpectedVersions,
): ResultAsync<void, ZoneAccessError | VersionMismatch> =>
  safeTry(async function* () {
    const zone = yield* repositories.zoneChanges.lock(id, caller.userId);
    const { organizationId: organization, name, tag } = zone;
    yield* stillMayIn(caller, organization, zone.membership, 'zones.delete');
    yield* requireVersion(expected, zoneVersion(zone));
    yield* record(repositories, caller, 'zone.deleted', { organization, objects: { zone: id, name, tag } });
    return repositories.zones.remove(id, caller.userId);
  });

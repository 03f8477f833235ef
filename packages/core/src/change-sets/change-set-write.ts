import { type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { stillMayIn } from '../access/permissions.ts';
import type { Permission } from '../access/role.ts';
import type { AuditAction } from '../audit/audit-entry.ts';
import { record } from '../audit/record.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import type { Sha256 } from '../shared/sha256.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { type ChangeSetWithConflicts, changeSetVersion, readConflicts } from './change-set-conflicts.ts';
import { requireOpen } from './change-set-merge.ts';
import type { ChangeSetClosed, ChangeSetNotFound } from './errors.ts';

/** The permissions for writing a change set, which covers settings and rules. */
export const changeSetPermissions: readonly Permission[] = ['zones.write', 'rules.write'];

/** Storage and a locked zone, so that writes of its change sets are serialized. */
export interface LockedZone extends StateWithLimits {
  readonly repositories: Repositories;
}

/** Runs work in a locked zone if the caller may write its change sets. */
export const inLockedZone = <T, E>(
  unitOfWork: UnitOfWork,
  caller: Caller,
  zone: ZoneId,
  work: (locked: LockedZone) => ResultAsync<T, E>,
): ResultAsync<T, E | ZoneAccessError> =>
  unitOfWork.run((repositories) =>
    safeTry(async function* () {
      yield* repositories.zoneChanges.lock(zone, caller.userId);
      const { state, limits, membership } = yield* repositories.zoneChanges.facts(zone, caller.userId);
      for (const permission of changeSetPermissions) {
        yield* stillMayIn(caller, state.zone.organizationId, membership, permission);
      }
      return work({ repositories, state, limits });
    }),
  );

/** An open change set of a locked zone whose version the caller expects. */
export const openChangeSetIn = (
  { repositories, state }: LockedZone,
  id: ChangeSetId,
  expected: ExpectedVersions,
  sha256: Sha256,
): ResultAsync<ChangeSetWithConflicts, ChangeSetNotFound | ChangeSetClosed | VersionMismatch> =>
  repositories.changeSets
    .byId(state.zone.id, id)
    .andThrough(requireOpen)
    .andThen((set) => readConflicts(repositories, state, set))
    .andThrough((found) => requireVersion(expected, changeSetVersion(found, sha256)));

/** Records an action on a change set. */
export const recordChangeSet = (
  { repositories, state: { zone } }: LockedZone,
  caller: Caller,
  action: AuditAction,
  changeSet: ChangeSetId,
): ResultAsync<void, never> =>
  record(repositories, caller, action, { organization: zone.organizationId, objects: { zone: zone.id, changeSet } });

import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import type { Sha256 } from '../shared/sha256.ts';
import type { ExpectedVersions, VersionMismatch } from '../shared/version.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { inLockedZone, openChangeSetIn, recordChangeSet } from './change-set-write.ts';
import type { ChangeSetClosed, ChangeSetNotFound } from './errors.ts';

export type DiscardChangeSet = (
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
  expected: ExpectedVersions,
) => ResultAsync<void, ZoneAccessError | ChangeSetNotFound | ChangeSetClosed | VersionMismatch>;

/** Discards an open change set, which stays readable for 30 more days. */
export const discardChangeSet =
  ({ unitOfWork, sha256 }: { unitOfWork: UnitOfWork; sha256: Sha256 }): DiscardChangeSet =>
  (caller, zone, id, expected) =>
    inLockedZone(unitOfWork, caller, zone, (locked) =>
      openChangeSetIn(locked, id, expected, sha256)
        .andThen(({ set }) => locked.repositories.changeSets.discard(set))
        .andThen(() => recordChangeSet(locked, caller, 'changeSet.discarded', id)),
    );

import { okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { requireStorage } from '../organizations/storage-quota.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { Sha256 } from '../shared/sha256.ts';
import type { ExpectedVersions, VersionMismatch } from '../shared/version.ts';
import type { InvalidInput } from '../shared/violation.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ChangeSet } from './change-set.ts';
import type { ChangeSetChange } from './change-set-body.ts';
import { type ChangeSetWithConflicts, readConflicts } from './change-set-conflicts.ts';
import { inLockedZone, type LockedZone, openChangeSetIn, recordChangeSet } from './change-set-write.ts';
import type { ChangeSetClosed, ChangeSetNotFound } from './errors.ts';
import { bytesOfChangeSet } from './stored-bytes.ts';
import { contentOf } from './write-content.ts';

export type UpdateChangeSetError =
  | ZoneAccessError
  | ChangeSetNotFound
  | ChangeSetClosed
  | VersionMismatch
  | InvalidInput;
export type UpdateChangeSet = (
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
  change: ChangeSetChange,
  expected: ExpectedVersions,
) => ResultAsync<ChangeSetWithConflicts, UpdateChangeSetError>;

/** Changes an open change set; content is replaced as a whole. A change that changes nothing leaves no trace. */
export const updateChangeSet =
  ({
    unitOfWork,
    randomness,
    sha256,
  }: {
    unitOfWork: UnitOfWork;
    randomness: Randomness;
    sha256: Sha256;
  }): UpdateChangeSet =>
  (caller, zone, id, { title, description, content: change }, expected) =>
    inLockedZone(unitOfWork, caller, zone, (locked) =>
      safeTry(async function* () {
        const { set } = yield* openChangeSetIn(locked, id, expected, sha256);
        const content = change === undefined ? set : yield* contentOf(locked, randomness, change.written, change.base);
        const { base, patch, operations, disputed } = content;
        const wanted = { title: title ?? set.title, description: description ?? set.description };
        return saved(locked, caller, 'changeSet.changed', set, {
          ...set,
          ...wanted,
          base,
          patch,
          operations,
          disputed,
        });
      }),
    );

/** Saves a change set unless it is unchanged, and returns it with its conflicts. */
export const saved = (
  locked: LockedZone,
  caller: Caller,
  action: 'changeSet.changed' | 'changeSet.rebased',
  before: ChangeSet,
  after: ChangeSet,
): ResultAsync<ChangeSetWithConflicts, ChangeSetClosed | InvalidInput> => {
  const { repositories, state } = locked;
  const written = isSameText(before, after)
    ? okAsync(before)
    : requireStorage(repositories, state.zone.organizationId, bytesOfChangeSet(after) - bytesOfChangeSet(before))
        .andThen(() => repositories.changeSets.save(after))
        .andThrough(({ id }) => recordChangeSet(locked, caller, action, id));
  return written.andThen((set) => readConflicts(repositories, state, set));
};

const isSameText = (one: ChangeSet, other: ChangeSet): boolean =>
  one.title === other.title &&
  one.description === other.description &&
  one.base === other.base &&
  one.patch.text === other.patch.text &&
  one.operations?.text === other.operations?.text &&
  one.disputed?.text === other.disputed?.text;

import { errAsync, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { ChangeSetId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { Sha256 } from '../../kernel/shared/sha256.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { ExpectedVersions, VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { AccessDenied } from '../../organizations/access/permissions.ts';
import { requireStorage } from '../../organizations/organizations/storage-quota.ts';
import type { ZoneAccessError } from '../../zones/zones/zone-access.ts';
import { bytesOfChangeSet, type ChangeSet, maxOpenBytes } from './change-set.ts';
import type { ChangeSetChange } from './change-set-body.ts';
import { type ChangeSetWithConflicts, findConflicts, withConflicts } from './change-set-conflicts.ts';
import {
  type DecidedWrite,
  type DraftBasis,
  mayDraft,
  openChangeSetIn,
  recordChangeSet,
  writeDraft,
} from './change-set-write.ts';
import { tooLarge } from './create-change-set.ts';
import type { ChangeSetClosed, ChangeSetNotFound } from './errors.ts';
import type { ChangeSetRepositories } from './repositories.ts';
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
    unitOfWork: UnitOfWork<ChangeSetRepositories>;
    randomness: Randomness;
    sha256: Sha256;
  }): UpdateChangeSet =>
  (caller, zone, id, { title, description, content: change }, expected) =>
    writeDraft(unitOfWork, caller, zone, (basis) =>
      safeTry(async function* () {
        const { set } = yield* openChangeSetIn(basis, id, expected, sha256);
        const content = change === undefined ? set : yield* contentOf(basis, randomness, change.written, change.base);
        const { base, patch, operations, disputed } = content;
        const wanted = { title: title ?? set.title, description: description ?? set.description };
        return saving(basis, caller, 'changeSet.changed', set, {
          ...set,
          ...wanted,
          base,
          patch,
          operations,
          disputed,
        });
      }),
    );

/** The write that saves a change set unless it is unchanged, and returns it with its conflicts. */
export const saving = (
  { repositories, state }: DraftBasis<ChangeSetRepositories>,
  caller: Caller,
  action: 'changeSet.changed' | 'changeSet.rebased',
  before: ChangeSet,
  after: ChangeSet,
): ResultAsync<DecidedWrite<ChangeSetWithConflicts, InvalidInput, ChangeSetRepositories>, AccessDenied> =>
  mayDraft(caller, state.zone, after)
    .asyncAndThen(() => findConflicts(repositories, state, after))
    .map(({ conflicts, record: merge }) => {
      if (isSameText(before, after)) return () => okAsync(withConflicts(before, conflicts));
      return (locked, { organizationId: organization }) =>
        requireStorage(locked, organization, bytesOfChangeSet(after) - bytesOfChangeSet(before)).andThen(() =>
          locked.changeSets
            .save({ ...after, merge }, maxOpenBytes)
            .andThrough(({ id: changeSet }) =>
              recordChangeSet(locked, caller, action, { zone: state.zone.id, organization, changeSet }),
            )
            .map((set) => withConflicts(set, conflicts))
            // A set that was closed or changed meanwhile is read again, and then refused or decided again.
            .orElse((error) =>
              error.type === 'ChangeSetClosed' ? okAsync('superseded' as const) : errAsync(tooLarge),
            ),
        );
    });

const isSameText = (one: ChangeSet, other: ChangeSet): boolean =>
  one.title === other.title &&
  one.description === other.description &&
  one.base === other.base &&
  one.patch.text === other.patch.text &&
  one.operations?.text === other.operations?.text &&
  one.disputed?.text === other.disputed?.text;

import { type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { contentsDocument } from '../drafts/zone-contents.ts';
import type { MergeConflicted, Resolution } from '../merging/merge-documents.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import { mergePatchBetween } from '../shared/merge-patch.ts';
import type { Sha256 } from '../shared/sha256.ts';
import type { ExpectedVersions } from '../shared/version.ts';
import type { ChangeSetWithConflicts } from './change-set-conflicts.ts';
import { checkedMergeIn, draftMembersOf, mergeOf } from './change-set-merge.ts';
import { inLockedZone, openChangeSetIn } from './change-set-write.ts';
import { saved, type UpdateChangeSetError } from './update-change-set.ts';

export type RebaseChangeSet = (
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
  resolution: Resolution,
  expected: ExpectedVersions,
) => ResultAsync<ChangeSetWithConflicts, UpdateChangeSetError | MergeConflicted>;

/**
 * Rebases a change set onto the current revision: its patch becomes the merged one, with conflicts resolved as
 * requested.
 */
export const rebaseChangeSet =
  ({ unitOfWork, sha256 }: { unitOfWork: UnitOfWork; sha256: Sha256 }): RebaseChangeSet =>
  (caller, zone, id, resolution, expected) =>
    inLockedZone(unitOfWork, caller, zone, (locked) =>
      safeTry(async function* () {
        const { repositories, state, limits } = locked;
        const { set } = yield* openChangeSetIn(locked, id, expected, sha256);
        const merge = yield* mergeOf(repositories, state, set);
        const contents = yield* checkedMergeIn(repositories, merge, limits, resolution);
        const patch = jsonDocument(mergePatchBetween(draftMembersOf(state), contentsDocument(contents)));
        const rebased = { ...set, base: state.zone.revision, patch, operations: undefined, disputed: undefined };
        return saved(locked, caller, 'changeSet.rebased', set, rebased);
      }),
    );

import { type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { contentsDocument } from '../drafts/zone-contents.ts';
import type { MergeConflicted, Resolution } from '../merging/merge-documents.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import { mergePatchBetween } from '../shared/merge-patch.ts';
import type { ExpectedVersions } from '../shared/version.ts';
import { checkedMergeIn, draftMembersOf, placed } from './draft-of-set.ts';
import type { SeenChangeSet } from './seen-change-set.ts';
import { inLockedZone, openSetIn } from './set-write.ts';
import { saved, type UpdateChangeSetError } from './update-change-set.ts';

export type RebaseChangeSet = (
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
  resolution: Resolution,
  expected: ExpectedVersions,
) => ResultAsync<SeenChangeSet, UpdateChangeSetError | MergeConflicted>;

/**
 * Rebases a change set onto the current revision: its patch becomes the merged one, with conflicts resolved as
 * requested.
 */
export const rebaseChangeSet =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): RebaseChangeSet =>
  (caller, zone, id, resolution, expected) =>
    inLockedZone(unitOfWork, caller, zone, (locked) =>
      safeTry(async function* () {
        const { repositories, state, limits } = locked;
        const { set } = yield* openSetIn(locked, id, expected);
        const place = yield* placed(repositories, state, set);
        const contents = yield* checkedMergeIn(repositories, place, limits, resolution);
        const patch = jsonDocument(mergePatchBetween(draftMembersOf(state), contentsDocument(contents)));
        const rebased = { ...set, base: state.zone.revision, patch, operations: undefined, disputed: undefined };
        return saved(locked, caller, 'changeSet.rebased', set, rebased);
      }),
    );

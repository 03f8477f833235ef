import { okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { ChangeSetId, ZoneId } from '../../kernel/shared/ids.ts';
import { jsonDocument, mergePatchBetween } from '../../kernel/shared/json.ts';
import type { Sha256 } from '../../kernel/shared/sha256.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { ExpectedVersions } from '../../kernel/shared/version.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { contentsDocument } from '../../zones/drafts/zone-contents.ts';
import type { MergeConflicted, Resolution } from '../../zones/merging/merge-documents.ts';
import type { Zone } from '../../zones/zones/zone.ts';
import type { ChangeSetWithConflicts } from './change-set-conflicts.ts';
import { checkedMergeIn, draftMembersOf, mergeOf } from './change-set-merge.ts';
import { type DecidedWrite, openChangeSetIn, writeDraft } from './change-set-write.ts';
import type { ChangeSetRepositories } from './repositories.ts';
import { saving, type UpdateChangeSetError } from './update-change-set.ts';

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
  ({ unitOfWork, sha256 }: { unitOfWork: UnitOfWork<ChangeSetRepositories>; sha256: Sha256 }): RebaseChangeSet =>
  (caller, zone, id, resolution, expected) =>
    writeDraft(unitOfWork, caller, zone, (basis) =>
      safeTry(async function* () {
        const { repositories, state, limits } = basis;
        const { set } = yield* openChangeSetIn(basis, id, expected, sha256);
        const merge = yield* mergeOf(repositories, state, set);
        const contents = yield* checkedMergeIn(repositories, merge, limits, resolution);
        const patch = jsonDocument(mergePatchBetween(draftMembersOf(state), contentsDocument(contents)));
        const rebased = { ...set, base: state.zone.revision, patch, operations: undefined, disputed: undefined };
        return saving(basis, caller, 'changeSet.rebased', set, rebased).map(ifCurrent(state.zone));
      }),
    );

/** A rebased set is based on the zone's current revision, so the zone must not have changed meanwhile. */
const ifCurrent =
  ({ revision }: Pick<Zone, 'revision'>) =>
  <T, E>(write: DecidedWrite<T, E, ChangeSetRepositories>): DecidedWrite<T, E, ChangeSetRepositories> =>
  (repositories, locked) =>
    locked.revision === revision ? write(repositories, locked) : okAsync('superseded');

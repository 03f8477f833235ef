import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { ChangeSetId, ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { mayReadZone, type ZoneAccessError } from '../../zones/zones/zone-access.ts';
import type { MergeRecord } from './change-set.ts';
import { type ChangeSetWithConflicts, findConflicts, isBasedOn, withConflicts } from './change-set-conflicts.ts';
import type { ChangeSetNotFound } from './errors.ts';
import type { ChangeSetRepositories } from './repositories.ts';

export type ReadChangeSet = (
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
) => ResultAsync<ChangeSetWithConflicts, ZoneAccessError | ChangeSetNotFound>;

/** One change set of a zone, with its conflicts. */
export const readChangeSet =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<ChangeSetRepositories> }): ReadChangeSet =>
  (caller, zone, id) =>
    unitOfWork
      .view((repositories) => changeSetIn(repositories, caller, zone, id))
      .andThrough(({ set, noted }) =>
        noted === undefined || isSame(noted, set.merge)
          ? okAsync()
          : unitOfWork.single(({ changeSets }) => changeSets.noteMerges([{ ...set, merge: noted }])),
      );

/** A change set, and what its merge found out if it was merged. */
interface MergedChangeSet extends ChangeSetWithConflicts {
  readonly noted?: MergeRecord;
}

const changeSetIn = (
  repositories: ChangeSetRepositories,
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
): ResultAsync<MergedChangeSet, ZoneAccessError | ChangeSetNotFound> =>
  safeTry(async function* () {
    const { revision } = yield* mayReadZone(repositories, caller, zone);
    const set = yield* repositories.changeSets.byId(zone, id);
    if (set.status !== 'open' || isBasedOn(set, revision)) return ok(withConflicts(set, []));
    const state = yield* repositories.zones.state(zone);
    const { conflicts, record } = yield* findConflicts(repositories, state, set);
    return ok({ ...withConflicts(set, conflicts), noted: record });
  });

const isSame = (one: MergeRecord, other: MergeRecord | undefined): boolean =>
  one.zoneRevision === other?.zoneRevision && one.isConflicted === other.isConflicted;

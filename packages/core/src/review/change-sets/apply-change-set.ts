import { type ResultAsync, safeTry } from 'neverthrow';
import type { ChangeSetId, ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { contentsPlan } from '../../zones/drafts/zone-contents.ts';
import type { MergeConflicted } from '../../zones/merging/merge-documents.ts';
import { changeZone } from '../../zones/zone-changes/change-zone.ts';
import { type Decide, mapDecision } from '../../zones/zone-changes/decision.ts';
import { type HostNameTaking, takeHostNames } from '../../zones/zone-changes/take-host-names.ts';
import type { ZoneChange, ZoneCommand } from '../../zones/zone-changes/zone-command.ts';
import { zoneVersion } from '../../zones/zones/zone.ts';
import type { ZoneAccessError } from '../../zones/zones/zone-access.ts';
import type { ChangeSet } from './change-set.ts';
import { type ChangeSetWithConflicts, withConflicts } from './change-set-conflicts.ts';
import { type ChangeSetMerge, checkedMerge, mergeOf, requireOpen } from './change-set-merge.ts';
import type { ChangeSetClosed, ChangeSetNotFound } from './errors.ts';
import type { ChangeSetRepositories } from './repositories.ts';

interface Repositories extends ChangeSetRepositories, HostNameTaking {}

type ApplicationError = ChangeSetNotFound | ChangeSetClosed | MergeConflicted | VersionMismatch | InvalidInput;
export type ApplyChangeSet = (
  caller: Caller,
  zone: ZoneId,
  id: ChangeSetId,
  expected: ExpectedVersions,
) => ResultAsync<ChangeSetWithConflicts, ZoneAccessError | ApplicationError>;

/**
 * Applies a change set to its zone atomically, as one revision; `expected` are versions of the zone. A set with nothing
 * left to change is marked as applied without a revision.
 */
export const applyChangeSet =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }): ApplyChangeSet =>
  (caller, zone, id, expected) =>
    changeZone(unitOfWork, caller, zone, application(zone, id, expected)).andThen(() =>
      unitOfWork.view(({ changeSets }) => changeSets.byId(zone, id)).map((set) => withConflicts(set, [])),
    );

/** The command that applies a change set; fails if a concurrent unit has closed it. */
const application = (
  zone: ZoneId,
  id: ChangeSetId,
  expected: ExpectedVersions,
): ZoneCommand<ApplicationError, ZoneChange, Repositories> => ({
  permission: 'contents.write',
  takeHostNames,
  prepare: (repositories, state) =>
    repositories.changeSets
      .byId(zone, id)
      .andThrough(requireOpen)
      .andThen((set) => mergeOf(repositories, state, set))
      .map((merge) => decision(merge, expected)),
});

const decision =
  (merge: ChangeSetMerge<ChangeSet>, expected: ExpectedVersions): Decide<ZoneChange, ApplicationError> =>
  (basis) =>
    safeTry(function* () {
      yield* requireVersion(expected, zoneVersion(basis.state.zone));
      const { id, revision } = merge.set;
      return checkedMerge(merge)(basis).map(
        mapDecision((contents) => ({
          plan: contentsPlan(basis.state, contents),
          action: 'changeSet.applied',
          objects: { changeSet: id },
          changeSet: { id, revision },
        })),
      );
    });

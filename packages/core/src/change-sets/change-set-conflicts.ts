import { utf8 } from '@zonewright/engine';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { MergeConflict } from '../merging/merge-documents.ts';
import type { Repositories } from '../repositories.ts';
import type { Sha256 } from '../shared/sha256.ts';
import type { Version } from '../shared/version.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { ChangeSet, ChangeSetStatus, ChangeSetSummary } from './change-set.ts';
import { conflictsOf, mergeOf } from './change-set-merge.ts';

/** A change set in a list, with its status. */
export interface ListedChangeSet {
  readonly set: ChangeSetSummary;
  readonly status: ChangeSetStatus;
}

/** A change set with its conflicts with the current zone. */
export interface ChangeSetWithConflicts extends ListedChangeSet {
  readonly set: ChangeSet;
  /** Empty unless it is conflicted. */
  readonly conflicts: readonly MergeConflict[];
}

/** Combines a change set with its conflicts. */
export const withConflicts = (set: ChangeSet, conflicts: readonly MergeConflict[]): ChangeSetWithConflicts => ({
  set,
  status: conflicts.length === 0 ? set.status : 'conflicted',
  conflicts,
});

/** Reads a change set's conflicts, given the zone's current state. */
export const readConflicts = (
  repositories: Repositories,
  state: ZoneState,
  set: ChangeSet,
): ResultAsync<ChangeSetWithConflicts, never> =>
  isMerged(set, state.zone.revision)
    ? okAsync(withConflicts(set, []))
    : mergeOf(repositories, state, set).map((merge) => withConflicts(set, conflictsOf(merge)));

/** Whether the set merges trivially: only an open set that is disputed or based on an older revision can conflict. */
export const isMerged = ({ status, base, disputed }: ChangeSet, revision: number): boolean =>
  status !== 'open' || (base === revision && disputed === undefined);

/** Changes whenever the representation changes: an open set can become conflicted, or expire, without being written. */
export function changeSetVersion(
  { set, status, ...more }: ListedChangeSet | ChangeSetWithConflicts,
  sha256: Sha256,
): Version {
  if (status === set.status) return `${set.revision}.${status}`;
  const theirs = 'conflicts' in more ? more.conflicts.map(({ path, theirs: value }) => [path, value]) : [];
  return `${set.revision}.${status}.${sha256(utf8(JSON.stringify(theirs))).slice(0, 16)}`;
}

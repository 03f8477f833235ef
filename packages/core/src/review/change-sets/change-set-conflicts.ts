import { utf8 } from '@zonewright/engine';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { Sha256 } from '../../kernel/shared/sha256.ts';
import type { Version } from '../../kernel/shared/version.ts';
import type { ZoneHistory } from '../../zones/history/ports.ts';
import type { MergeConflict } from '../../zones/merging/merge-documents.ts';
import type { ZoneState } from '../../zones/zones/zone-state.ts';
import type { ChangeSet, ChangeSetContent, ChangeSetStatus, ChangeSetSummary, MergeRecord } from './change-set.ts';
import { type ChangeSetMerge, conflictsOf, mergeOf, stateCharacters } from './change-set-merge.ts';

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

/** The conflicts of a change set with a state of its zone. */
export interface FoundConflicts {
  readonly conflicts: readonly MergeConflict[];
  readonly record: MergeRecord;
}

/** Merges the content of an open change set with its zone. */
export const findConflicts = (
  repositories: { readonly history: ZoneHistory },
  state: ZoneState,
  content: ChangeSetContent,
): ResultAsync<FoundConflicts, never> =>
  isBasedOn(content, state.zone.revision)
    ? okAsync({ conflicts: [], record: recordOf(state, content, [], stateCharacters(state)) })
    : mergeOf(repositories, state, content).map(conflictsIn);

/** The conflicts of a merge. */
export const conflictsIn = (merge: ChangeSetMerge): FoundConflicts => {
  const { set, base, state } = merge;
  const conflicts = conflictsOf(merge);
  return { conflicts, record: recordOf(state, set, conflicts, JSON.stringify(base).length) };
};

const recordOf = (
  state: ZoneState,
  { patch, operations, disputed }: ChangeSetContent,
  conflicts: readonly MergeConflict[],
  baseCharacters: number,
): MergeRecord => ({
  zoneRevision: state.zone.revision,
  isConflicted: conflicts.length > 0,
  characters: [patch, operations, disputed].reduce(
    (sum, document) => sum + (document?.text.length ?? 0),
    baseCharacters + stateCharacters(state),
  ),
});

/** Reads a change set's conflicts, given the zone's current state. */
export const readConflicts = (
  repositories: { readonly history: ZoneHistory },
  state: ZoneState,
  set: ChangeSet,
): ResultAsync<ChangeSetWithConflicts, never> =>
  set.status === 'open'
    ? findConflicts(repositories, state, set).map(({ conflicts }) => withConflicts(set, conflicts))
    : okAsync(withConflicts(set, []));

/** True if a merge with this revision of the zone is trivial: only a disputed set or one on another revision conflicts. */
export const isBasedOn = ({ base, disputed }: ChangeSetContent, revision: number): boolean =>
  base === revision && disputed === undefined;

/** Changes whenever the representation changes: an open set can become conflicted, or expire, without being written. */
export function changeSetVersion(
  { set, status, ...more }: ListedChangeSet | ChangeSetWithConflicts,
  sha256: Sha256,
): Version {
  if (status === set.status) return `${set.revision}.${status}`;
  const theirs = 'conflicts' in more ? more.conflicts.map(({ path, theirs: value }) => [path, value]) : [];
  return `${set.revision}.${status}.${sha256(utf8(JSON.stringify(theirs))).slice(0, 16)}`;
}

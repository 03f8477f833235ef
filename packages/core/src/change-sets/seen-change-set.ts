import { sha256, utf8 } from '@zonewright/engine';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { MergeConflict } from '../merging/merge-documents.ts';
import type { Repositories } from '../repositories.ts';
import type { Version } from '../shared/version.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { ChangeSet, ChangeSetStatus, ChangeSetSummary } from './change-set.ts';
import { conflictsOf, placed } from './draft-of-set.ts';

/** A change set in a list, as reads show it. */
export interface ListedChangeSet {
  readonly set: ChangeSetSummary;
  readonly status: ChangeSetStatus;
}

/** A change set beside the zone as it is now. */
export interface SeenChangeSet extends ListedChangeSet {
  readonly set: ChangeSet;
  /** Where the two contradict each other; empty unless it is conflicted. */
  readonly conflicts: readonly MergeConflict[];
}

/** What a change set looks like with these conflicts. */
export const seenWith = (set: ChangeSet, conflicts: readonly MergeConflict[]): SeenChangeSet => ({
  set,
  status: conflicts.length === 0 ? set.status : 'conflicted',
  conflicts,
});

/** Looks at a change set of a zone in this state. */
export const seen = (
  repositories: Repositories,
  state: ZoneState,
  set: ChangeSet,
): ResultAsync<SeenChangeSet, never> =>
  isMerged(set, state.zone.revision)
    ? okAsync(seenWith(set, []))
    : placed(repositories, state, set).map((place) => seenWith(set, conflictsOf(place)));

/** Whether there is nothing to find out: only an open set that is disputed, or on an older revision, can be conflicted. */
export const isMerged = ({ status, base, disputed }: ChangeSet, revision: number): boolean =>
  status !== 'open' || (base === revision && disputed === undefined);

/** Differs whenever reads of the change set differ: an open one can become conflicted, or end, without being changed. */
export function changeSetVersion({ set, status, ...more }: ListedChangeSet | SeenChangeSet): Version {
  if (status === set.status) return `${set.revision}.${status}`;
  const theirs = 'conflicts' in more ? more.conflicts.map(({ path, theirs: value }) => [path, value]) : [];
  return `${set.revision}.${status}.${sha256(utf8(JSON.stringify(theirs))).slice(0, 16)}`;
}

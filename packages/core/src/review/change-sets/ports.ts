import type { ResultAsync } from 'neverthrow';
import type { ChangeSetId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { ChangeSetVersion } from '../../zones/zone-changes/ports.ts';
import type { ChangeSet, ChangeSetContent, ChangeSetStatus, ChangeSetSummary, MergeRecord } from './change-set.ts';
import type { ChangeSetClosed, ChangeSetNotFound, ChangeSetsTooLarge, TooManyChangeSets } from './errors.ts';

/** A change set to add. */
export interface NewChangeSet extends Pick<ChangeSet, 'id' | 'zoneId' | 'title' | 'description'>, ChangeSetContent {
  readonly createdBy: UserId;
  readonly merge: MergeRecord;
}

/** The most change sets of a zone that may be open, and the most bytes of text that they may have together. */
export interface OpenLimits {
  readonly sets: number;
  readonly bytes: number;
}

/** The outcome of a merge of a change set as it was read. */
export interface FoundMerge extends ChangeSetVersion {
  readonly merge: MergeRecord;
}

/** A change set with new content, and what merging that found out. */
export interface SavedChangeSet extends Omit<ChangeSet, 'merge'> {
  readonly merge: MergeRecord;
}

/** A filter for the change sets of a zone; all criteria must match. */
export interface ChangeSetFilter {
  /** Empty: every status. An open set counts as conflicted if its latest merge found conflicts. */
  readonly statuses: readonly ChangeSetStatus[];
  readonly createdBy: UserId | undefined;
  /** Substring of the title, ignoring case, without wildcards. */
  readonly search: string | undefined;
}

/** Sort keys for lists of change sets. */
export const changeSetSortKeys = ['createdAt', 'updatedAt'] as const;

/** A sort key with its direction; earlier keys take precedence. */
export interface ChangeSetSort {
  readonly key: (typeof changeSetSortKeys)[number];
  readonly direction: 'asc' | 'desc';
}

/**
 * Change sets of zones. An open one is discarded automatically 30 days after its last change; discarded ones may be
 * removed 30 days later. `ZoneChanges` marks them as applied.
 */
export interface ChangeSets {
  /** Adds an open set to a zone that `ZoneChanges` has locked, within the limits. */
  add(set: NewChangeSet, limits: OpenLimits): ResultAsync<ChangeSet, TooManyChangeSets | ChangeSetsTooLarge>;
  byId(zone: ZoneId, id: ChangeSetId): ResultAsync<ChangeSet, ChangeSetNotFound>;
  /** Those of these sets that the zone has, in any order. */
  byIds(zone: ZoneId, ids: readonly ChangeSetId[]): ResultAsync<readonly ChangeSet[], never>;
  /** Newest first by default, and as the tie-breaker. Patches are not read. */
  list(
    zone: ZoneId,
    filter: ChangeSetFilter,
    sort: readonly ChangeSetSort[],
    page: PageRequest,
  ): ResultAsync<Page<ChangeSetSummary>, never>;
  /**
   * Writes the title, description, content and merge of a set of a locked zone if it is open and its revision matches.
   * Texts that become smaller are written even if they exceed `maxBytes` together with those of other open sets.
   */
  save(set: SavedChangeSet, maxBytes: number): ResultAsync<ChangeSet, ChangeSetClosed | ChangeSetsTooLarge>;
  /** Discards the set if it is open and its revision matches. */
  discard(set: ChangeSetVersion): ResultAsync<void, ChangeSetClosed>;
  /** Remembers what merges found out, unless the set has changed or is being changed. Changes nothing that clients see. */
  noteMerges(merges: readonly FoundMerge[]): ResultAsync<void, never>;
}

import type { ResultAsync } from 'neverthrow';
import type { ChangeSetId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { RevisionNotFound } from '../../zones/history/revision.ts';
import type { ChangeSetVersion } from '../../zones/zone-changes/ports.ts';
import type {
  ChangeSet,
  ChangeSetContent,
  ChangeSetStatus,
  ChangeSetSummary,
  Lender,
  MergeRecord,
  StoredChangeSet,
} from './change-set.ts';
import type { ChangeSetClosed, ChangeSetNotFound, ChangeSetsTooLarge, TooManyChangeSets } from './errors.ts';

/** A change set to add. */
export interface NewChangeSet extends Pick<ChangeSet, 'id' | 'zoneId' | 'title' | 'description'>, ChangeSetContent {
  readonly lender?: Lender | undefined;
  readonly createdBy: UserId;
  readonly merge: MergeRecord;
}

/** How many change sets of a zone may be open, and how many bytes of text they may have together. */
export interface OpenLimits {
  readonly sets: number;
  readonly bytes: number;
}

/** What a merge of a change set, as of when it was read, found out. */
export interface FoundMerge extends ChangeSetVersion {
  readonly merge: MergeRecord;
}

/** A change set with new content, which is stored whole, and what merging that found out. */
export interface SavedChangeSet extends Omit<ChangeSet, 'merge' | 'lender'> {
  readonly merge: MergeRecord;
}

/** Which change sets of a zone to list; all criteria must match. */
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
  /**
   * Adds an open set to a zone that `ZoneChanges` has locked, within the limits. From then on, the lender's revision is
   * kept until the set is applied, written again or removed; `RevisionNotFound`: it is already gone.
   */
  add(
    set: NewChangeSet,
    limits: OpenLimits,
  ): ResultAsync<StoredChangeSet, TooManyChangeSets | ChangeSetsTooLarge | RevisionNotFound>;
  byId(zone: ZoneId, id: ChangeSetId): ResultAsync<StoredChangeSet, ChangeSetNotFound>;
  /** Those of these sets that the zone has, in any order. */
  byIds(zone: ZoneId, ids: readonly ChangeSetId[]): ResultAsync<readonly StoredChangeSet[], never>;
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

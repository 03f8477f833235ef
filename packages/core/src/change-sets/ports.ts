import type { ResultAsync } from 'neverthrow';
import type { ChangeSetId, UserId, ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { ChangeSetVersion } from '../zone-changes/ports.ts';
import type { ChangeSet, ChangeSetContent, ChangeSetStatus, ChangeSetSummary } from './change-set.ts';
import type { ChangeSetClosed, ChangeSetNotFound, TooManyChangeSets } from './errors.ts';

/** A change set to add. */
export interface NewChangeSet extends Pick<ChangeSet, 'id' | 'zoneId' | 'title' | 'description'>, ChangeSetContent {
  readonly createdBy: UserId;
}

/** Which change sets of a zone to list; all criteria must match. */
export interface ChangeSetFilter {
  /** Empty: every status. */
  readonly statuses: readonly ChangeSetStatus[];
  /** The open ones that conflict. */
  readonly conflicted: readonly ChangeSetId[];
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
  /** Adds an open set to a zone that `ZoneChanges` has locked, unless the zone already has `limit` of them. */
  add(set: NewChangeSet, limit: number): ResultAsync<ChangeSet, TooManyChangeSets>;
  byId(zone: ZoneId, id: ChangeSetId): ResultAsync<ChangeSet, ChangeSetNotFound>;
  /** Newest first by default, and as the tie-breaker. Patches are not read. */
  list(
    zone: ZoneId,
    filter: ChangeSetFilter,
    sort: readonly ChangeSetSort[],
    page: PageRequest,
  ): ResultAsync<Page<ChangeSetSummary>, never>;
  /** The zone's open sets that are disputed or not based on its current revision. */
  behind(zone: ZoneId): ResultAsync<readonly ChangeSet[], never>;
  /** Writes the title, description and content if the set is open and its revision matches. */
  save(set: ChangeSet): ResultAsync<ChangeSet, ChangeSetClosed>;
  /** Discards the set if it is open and its revision matches. */
  discard(set: ChangeSetVersion): ResultAsync<void, ChangeSetClosed>;
}

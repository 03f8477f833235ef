import type { ResultAsync } from 'neverthrow';
import type { ChangeSetId, UserId, ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { ChangeSetVersion } from '../zones/ports.ts';
import type { ChangeSet, ChangeSetContent, ChangeSetStatus, ChangeSetSummary } from './change-set.ts';
import type { ChangeSetClosed, ChangeSetNotFound, TooManyChangeSets } from './errors.ts';

/** A change set to be added. */
export interface NewChangeSet extends Pick<ChangeSet, 'id' | 'zoneId' | 'title' | 'description'>, ChangeSetContent {
  readonly createdBy: UserId;
}

/** Which change sets of a zone to list; every criterion must hold. */
export interface ChangeSetFilter {
  /** Empty: every status. */
  readonly statuses: readonly ChangeSetStatus[];
  /** The open ones whose patch does not merge. */
  readonly conflicted: readonly ChangeSetId[];
  readonly createdBy: UserId | undefined;
  /** Part of the title, ignoring case; taken literally. */
  readonly search: string | undefined;
}

/** What lists of change sets can be sorted by. */
export const changeSetSortKeys = ['createdAt', 'updatedAt'] as const;

/** One key of an order; earlier ones of a list count more. */
export interface ChangeSetSort {
  readonly key: (typeof changeSetSortKeys)[number];
  readonly direction: 'asc' | 'desc';
}

/**
 * Drafts of zones. One that is open is discarded by itself 30 days after its last change, and discarded ones may be gone
 * 30 days later. `ZoneChanges` marks them as applied.
 */
export interface ChangeSets {
  /** Adds an open one to a zone that `ZoneChanges` has locked, unless it has `limit` of them. */
  add(set: NewChangeSet, limit: number): ResultAsync<ChangeSet, TooManyChangeSets>;
  byId(zone: ZoneId, id: ChangeSetId): ResultAsync<ChangeSet, ChangeSetNotFound>;
  /** Newest first where no order is asked, and among equals. Patches are not read. */
  list(
    zone: ZoneId,
    filter: ChangeSetFilter,
    sort: readonly ChangeSetSort[],
    page: PageRequest,
  ): ResultAsync<Page<ChangeSetSummary>, never>;
  /** The open ones of the zone that are disputed, or were made on another revision than its current one. */
  behind(zone: ZoneId): ResultAsync<readonly ChangeSet[], never>;
  /** Writes the title, description and content, if it is open and at its revision. */
  save(set: ChangeSet): ResultAsync<ChangeSet, ChangeSetClosed>;
  /** Discards it, if it is open and at its revision. */
  discard(set: ChangeSetVersion): ResultAsync<void, ChangeSetClosed>;
}

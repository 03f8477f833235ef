import type { z } from 'zod';
import type { ChangeSetId, PromotionId, UserId, ZoneId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import type { JsonObject } from '../shared/merge-patch.ts';
import { text } from '../shared/text.ts';

/** At most 255 code points. */
export const ChangeSetTitle = text({ max: 255 }).brand<'ChangeSetTitle'>();
export type ChangeSetTitle = z.infer<typeof ChangeSetTitle>;

/** At most 1000 code points; may have several lines. */
export const ChangeSetDescription = text({ max: 1000, multiline: true }).brand<'ChangeSetDescription'>();
export type ChangeSetDescription = z.infer<typeof ChangeSetDescription>;

/** An open change set that nobody changes is discarded after so long; a discarded one is kept as long again. */
export const changeSetLifetimeSeconds = 30 * 24 * 60 * 60;

/** As it is stored, a change set is one of these. */
export type StoredStatus = 'open' | 'applied' | 'discarded';

/** What reads show: an open change set whose patch does not merge with the zone as it is now is conflicted. */
export const changeSetStatuses = ['open', 'conflicted', 'applied', 'discarded'] as const;
export type ChangeSetStatus = (typeof changeSetStatuses)[number];

/** When a change set was applied, by whom, and the revision of the zone that came of it. */
export interface Application {
  readonly revision: number;
  /** Absent once the account is gone. */
  readonly by: UserId | undefined;
  readonly at: Date;
}

/** A draft of a zone, without what it changes. */
export interface ChangeSetSummary {
  readonly id: ChangeSetId;
  readonly zoneId: ZoneId;
  readonly title: ChangeSetTitle;
  readonly description: ChangeSetDescription;
  readonly status: StoredStatus;
  /** The revision of the zone that the patch was made on. */
  readonly base: number;
  /** Absent once the account is gone. */
  readonly createdBy: UserId | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When an open one is discarded. */
  readonly endsAt: Date;
  readonly application: Application | undefined;
  /** The promotion that made it. */
  readonly promotion: PromotionId | undefined;
  /** Grows with every change of the set. */
  readonly revision: number;
}

/** What a change set changes. */
export interface ChangeSetContent {
  readonly base: number;
  /** Merge patch (RFC 7396) on the zone's document at the base. */
  readonly patch: JsonDocument<JsonObject>;
  /**
   * Merge patch on the same document, of a set that a promotion made: it gives the places in conflict what source and target
   * began with. Undefined: both began with the base. Once the set is written anew there is none.
   */
  readonly disputed?: JsonDocument<JsonObject> | undefined;
  /** As they were written, with the ids of new rules; undefined: a patch was written. */
  readonly operations: JsonDocument<readonly JsonObject[]> | undefined;
}

/** A draft of one zone, which is looked at as often as wanted and applied at once. */
export interface ChangeSet extends ChangeSetSummary, ChangeSetContent {}

import type { z } from 'zod';
import type { ChangeSetId, PromotionId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { JsonDocument, JsonObject } from '../../kernel/shared/json.ts';
import { text } from '../../kernel/shared/text.ts';
import { storedBytes } from '../../kernel/usage-limits/usage-limits.ts';

/** At most 255 code points. */
export const ChangeSetTitle = text({ max: 255 }).brand<'ChangeSetTitle'>();
export type ChangeSetTitle = z.infer<typeof ChangeSetTitle>;

/** At most 1000 code points; may span several lines. */
export const ChangeSetDescription = text({ max: 1000, multiline: true }).brand<'ChangeSetDescription'>();
export type ChangeSetDescription = z.infer<typeof ChangeSetDescription>;

/** An open change set is discarded this long after its last change; a discarded one is kept for the same time again. */
export const changeSetLifetimeSeconds = 30 * 24 * 60 * 60;

/** The status of a change set in storage. */
export type StoredStatus = 'open' | 'applied' | 'discarded';

/** The status as read: an open change set whose patch conflicts with the current zone is `conflicted`. */
export const changeSetStatuses = ['open', 'conflicted', 'applied', 'discarded'] as const;
export type ChangeSetStatus = (typeof changeSetStatuses)[number];

/** The application of a change set, and the revision it created. */
export interface Application {
  readonly revision: number;
  /** Absent if the account has been deleted. */
  readonly by: UserId | undefined;
  readonly at: Date;
}

/** At most this many bytes of text in the open change sets of a zone together. */
export const maxOpenBytes = 16_000_000;

/** The outcome of the latest merge of an open change set with its zone. */
export interface MergeRecord {
  /** The revision of the zone that it was merged with. */
  readonly zoneRevision: number;
  readonly isConflicted: boolean;
  /** The characters of the texts that were merged: base, zone and change set. */
  readonly characters: number;
}

/** A change set without its content. */
export interface ChangeSetSummary {
  readonly id: ChangeSetId;
  readonly zoneId: ZoneId;
  readonly title: ChangeSetTitle;
  readonly description: ChangeSetDescription;
  readonly status: StoredStatus;
  /** The revision of the zone that the patch is based on. */
  readonly base: number;
  /** Absent if the account has been deleted. */
  readonly createdBy: UserId | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When it will be discarded if it stays open. */
  readonly endsAt: Date;
  readonly application: Application | undefined;
  /** The promotion that created it. */
  readonly promotion: PromotionId | undefined;
  /** Increases with every change of the set. */
  readonly revision: number;
  /** The bytes of its texts. */
  readonly bytes: number;
  /** Absent if the set as it is has not been merged yet. */
  readonly merge: MergeRecord | undefined;
}

/** The content of a change set. */
export interface ChangeSetContent {
  readonly base: number;
  /** Merge patch (RFC 7396) on the zone's document at the base. */
  readonly patch: JsonDocument<JsonObject>;
  /**
   * For a set created by a promotion: a merge patch on the same document that gives conflicting places the common
   * ancestor of source and target. Undefined: the base is the ancestor of both. Rewriting the set's content removes it.
   */
  readonly disputed?: JsonDocument<JsonObject> | undefined;
  /** The operations as written, with ids for new rules; undefined if a patch was written. */
  readonly operations: JsonDocument<readonly JsonObject[]> | undefined;
}

/** A draft of changes to one zone, which can be reviewed and then applied atomically. */
export interface ChangeSet extends ChangeSetSummary, ChangeSetContent {}

/** The bytes that a change set counts towards the quota of its organization. */
export const bytesOfChangeSet = ({
  title,
  description,
  patch,
  operations,
  disputed,
}: Pick<ChangeSet, 'title' | 'description' | 'patch' | 'operations' | 'disputed'>): number =>
  storedBytes([title, description, patch.text, operations?.text, disputed?.text]);

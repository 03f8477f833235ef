import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { ChangeSetId, PromotionId, RuleId, UserId, ZoneId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';

/** A revision of the source, and that of the target to which its changes were brought. */
export interface PromotedRevisions {
  readonly fromRevision: number;
  readonly toRevision: number;
}

/** What was brought from one zone to another, whether or not anything was left to bring. */
export interface PromotedChanges extends PromotedRevisions {
  /** The target. */
  readonly zoneId: ZoneId;
  /** The source; it may be gone. */
  readonly from: ZoneId;
  /** The last promotion from this source whose change set was applied here: only what changed since is brought over. */
  readonly base: PromotedRevisions | undefined;
}

/** A promotion that made a change set. */
export interface PromotionSummary extends PromotedChanges {
  readonly id: PromotionId;
  readonly changeSet: ChangeSetId;
  /** Absent once the account is gone. */
  readonly createdBy: UserId | undefined;
  readonly createdAt: Date;
}

/** What becomes of a rule or a setting of the target; `kept`: it stays as it is there, and `moved`: its place alone changes. */
export const promotedChanges = ['added', 'changed', 'moved', 'removed', 'kept', 'conflict'] as const;
export type PromotedChange = (typeof promotedChanges)[number];

/** What a promotion makes of one rule, or of one setting: its key is its name. */
export interface ReportEntry {
  readonly kind: RuleKind | 'settings';
  readonly name: string;
  readonly change: PromotedChange;
  /** A rule whose content changes is put elsewhere as well. */
  readonly moved?: true;
  /** The rule in the target, also if it is only added; absent: the target has deleted it, and it stays so. */
  readonly rule?: RuleId;
  readonly source?: RuleId;
  /** Paths in the document of the target. */
  readonly members: readonly string[];
}

/** What becomes of each rule, and of each setting in which the zones differ. */
export interface ReportedChanges {
  readonly report: JsonDocument<readonly ReportEntry[]>;
}

/** The same with what it was to do. Promotions never change. */
export interface Promotion extends PromotionSummary, ReportedChanges {}

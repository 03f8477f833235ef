import type { ChangeSetId, PromotionId, RuleId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { JsonDocument } from '../../kernel/shared/json.ts';
import { storedBytes } from '../../kernel/usage-limits/usage-limits.ts';
import type { RuleKind } from '../../zones/rule-kinds/rule-kinds.ts';

/** A revision of the source, and the revision of the target that its changes were merged into. */
export interface PromotedRevisions {
  readonly fromRevision: number;
  readonly toRevision: number;
}

/** The revisions that were promoted, even if there was nothing to change. */
export interface PromotedChanges extends PromotedRevisions {
  /** The target. */
  readonly zoneId: ZoneId;
  /** The source; it may have been deleted. */
  readonly from: ZoneId;
  /** The last applied promotion from this source: only later changes are promoted. */
  readonly base: PromotedRevisions | undefined;
}

/** A promotion that created a change set. */
export interface PromotionSummary extends PromotedChanges {
  readonly id: PromotionId;
  readonly changeSet: ChangeSetId;
  /** Absent if the account has been deleted. */
  readonly createdBy: UserId | undefined;
  readonly createdAt: Date;
}

/** The effects on a rule or setting of the target; `kept`: unchanged, `moved`: only its position changes. */
export const promotedChanges = ['added', 'changed', 'moved', 'removed', 'kept', 'conflict'] as const;
export type PromotedChange = (typeof promotedChanges)[number];

/** The effect of a promotion on one rule or setting; a setting's name is its key. */
export interface ReportEntry {
  readonly kind: RuleKind | 'settings';
  readonly name: string;
  readonly change: PromotedChange;
  /** Set if a rule whose content changes also moves. */
  readonly moved?: true;
  /** The rule in the target, also if it is new there; absent: the target deleted it, and it stays deleted. */
  readonly rule?: RuleId;
  readonly source?: RuleId;
  /** Paths in the document of the target. */
  readonly members: readonly string[];
}

/** The effects on all rules, and on the settings that differ between the zones. */
export interface ReportedChanges {
  readonly report: JsonDocument<readonly ReportEntry[]>;
}

/** A promotion with its report. Immutable. */
export interface Promotion extends PromotionSummary, ReportedChanges {}

/** The bytes that a promotion counts towards the quota of its organization, besides its change set. */
export const bytesOfPromotion = ({ request, report }: ReportedChanges & { readonly request: string }): number =>
  storedBytes([request, report.text]);

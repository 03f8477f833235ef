import type { RuleId, ZoneId } from '../../kernel/shared/ids.ts';
import type { JsonDocument } from '../../kernel/shared/json.ts';
import type { RuleContents, RuleKind } from './rule-kinds.ts';

/** The list of a zone's rules of one kind. */
export interface RuleList<K extends RuleKind = RuleKind> {
  readonly zone: ZoneId;
  readonly kind: K;
}

/** A rule of a zone: its content exactly as the client wrote it, and its position. */
export interface Rule<K extends RuleKind = RuleKind> {
  readonly id: RuleId;
  readonly zoneId: ZoneId;
  readonly kind: K;
  /** 1-based position among the zone's rules of this kind. */
  readonly order: number;
  readonly content: JsonDocument<RuleContents[K]>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /**
   * Starts at the revision of the zone and increases with every change of the content; moving the rule does not change
   * it.
   */
  readonly revision: number;
}

/** A stored configuration rule. */
export type ConfigurationRule = Rule<'configurationRule'>;

/** All rules of a zone by kind, in evaluation order. */
export type RulesOfZone = { readonly [K in RuleKind]: readonly Rule<K>[] };

/** The part of a rule that a write sets. */
export interface WrittenRule<K extends RuleKind = RuleKind> {
  readonly id: RuleId;
  readonly content: JsonDocument<RuleContents[K]>;
}

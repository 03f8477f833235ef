import type { RuleId, ZoneId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import type { RuleContents, RuleKind } from './rule-kinds.ts';

/** The rules of one kind in one zone: one list, in which each rule has a position. */
export interface RuleList<K extends RuleKind = RuleKind> {
  readonly zone: ZoneId;
  readonly kind: K;
}

/** A rule of a zone: what its client wrote, which reads back as it was written, and its place in the list. */
export interface Rule<K extends RuleKind = RuleKind> {
  readonly id: RuleId;
  readonly zoneId: ZoneId;
  readonly kind: K;
  /** 1-based position among the zone's rules of this kind. */
  readonly order: number;
  readonly content: JsonDocument<RuleContents[K]>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Begins at the revision of the zone, and grows with every change of the content; the position is not part of it. */
  readonly revision: number;
}

/** A configuration rule as it is stored. */
export type ConfigurationRule = Rule<'configurationRule'>;

/** Every rule of a zone by kind, each list in evaluation order. */
export type RulesOfZone = { readonly [K in RuleKind]: readonly Rule<K>[] };

/** Everything of a rule that a write sets. */
export interface WrittenRule<K extends RuleKind = RuleKind> {
  readonly id: RuleId;
  readonly content: JsonDocument<RuleContents[K]>;
}

import type { ResultAsync } from 'neverthrow';
import type { RuleId, ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { RuleConditionsTaken, RuleNameTaken, RuleNotFound } from './errors.ts';
import type { ConfigurationRule } from './rule.ts';
import type { RuleOrder } from './rule-order.ts';

/** Everything of a rule that a write sets. */
export type WrittenRule = Omit<ConfigurationRule, 'order' | 'createdAt' | 'updatedAt' | 'revision'>;

/** What tells when a rule was written, and how often. */
export type RuleStamp = Pick<ConfigurationRule, 'createdAt' | 'updatedAt' | 'revision'>;

export type RuleClash = RuleNameTaken | RuleConditionsTaken;

/**
 * Configuration rules of zones. In a zone, names (without letter case) and canonical condition sets are unique.
 * Every write happens in a unit that has locked the zone; the unit must end with the `Err` of a clash.
 */
export interface ConfigurationRules {
  /** The rules of a zone in evaluation order; with names given, only those whose name contains one of them. */
  list(zone: ZoneId, names: readonly string[], page: PageRequest): ResultAsync<Page<ConfigurationRule>, never>;
  byId(zone: ZoneId, id: RuleId): ResultAsync<ConfigurationRule, RuleNotFound>;
  /** All clashes a rule would have with others of its zone. */
  clashes(rule: Pick<WrittenRule, 'id' | 'zoneId' | 'name' | 'conditions'>): ResultAsync<readonly RuleClash[], never>;
  order(zone: ZoneId): ResultAsync<RuleOrder, never>;
  /** Replaces the order. When the unit commits it must list every rule of the zone exactly once. */
  saveOrder(zone: ZoneId, order: RuleOrder): ResultAsync<void, never>;
  add(rule: WrittenRule): ResultAsync<RuleStamp, RuleClash>;
  save(rule: WrittenRule): ResultAsync<RuleStamp, RuleClash>;
  remove(zone: ZoneId, id: RuleId): ResultAsync<void, never>;
}

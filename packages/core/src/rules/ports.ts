import type { ResultAsync } from 'neverthrow';
import type { Rule, RuleList } from '../rule-kinds/rule.ts';
import type { RuleContents, RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { RuleId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import type { Page, PageRequest, PageTooLarge } from '../shared/page.ts';
import type { RuleKeyTaken, RuleNameTaken, RuleNotFound } from './errors.ts';
import type { RuleOrder } from './rule-order.ts';

/** Everything of a rule that a write sets. */
export interface WrittenRule<K extends RuleKind = RuleKind> {
  readonly id: RuleId;
  readonly content: JsonDocument<RuleContents[K]>;
}

/** When a rule was written, and how often. */
export type RuleStamp = Pick<Rule, 'createdAt' | 'updatedAt' | 'revision'>;

/** What of a rule another one of its list has already: the name, or what else must be unique in its kind. */
export type RuleClash = RuleNameTaken | RuleKeyTaken;

/** A list's order, and a number that grows with every write of the list or of a rule in it. */
export interface StoredOrder {
  readonly ids: RuleOrder;
  readonly revision: number;
}

/** A part of a list, with the revision of the whole. */
export interface RulePage<K extends RuleKind> extends Page<Rule<K>> {
  readonly revision: number;
}

/** How a list becomes another one: what goes, what changes, what comes. */
export interface RuleRewrite<K extends RuleKind> {
  readonly removed: readonly RuleId[];
  readonly changed: readonly WrittenRule<K>[];
  readonly added: readonly WrittenRule<K>[];
}

/**
 * The rules of zones. In a list, names (ignoring case) and unique keys are each unique. Every write happens in
 * a unit that has locked the zone; the unit must end with the `Err` of a clash.
 *
 * An added rule has the revision of its zone, and each change of its content raises it by one. The unit raises the
 * zone's revision after its writes, so no revision of a rule ever names two contents, not even when a deleted rule
 * comes back under its old id.
 */
export interface Rules {
  /**
   * Rules in evaluation order; with names given, only those whose name contains one of them. They, the total and the
   * revision are of one moment. A page is measured by the text of their content, without reading it.
   */
  list<K extends RuleKind>(
    list: RuleList<K>,
    names: readonly string[],
    page: PageRequest,
  ): ResultAsync<RulePage<K>, PageTooLarge>;
  /** Every rule of a list in evaluation order. */
  all<K extends RuleKind>(list: RuleList<K>): ResultAsync<readonly Rule<K>[], never>;
  byId<K extends RuleKind>(list: RuleList<K>, id: RuleId): ResultAsync<Rule<K>, RuleNotFound>;
  /** All clashes a rule would have with others of its list. */
  clashes<K extends RuleKind>(list: RuleList<K>, rule: WrittenRule<K>): ResultAsync<readonly RuleClash[], never>;
  order(list: RuleList): ResultAsync<StoredOrder, never>;
  /** Replaces the order. When the unit commits it must list every rule of the list exactly once. */
  saveOrder(list: RuleList, order: RuleOrder): ResultAsync<void, never>;
  add<K extends RuleKind>(list: RuleList<K>, rule: WrittenRule<K>): ResultAsync<RuleStamp, RuleClash>;
  save<K extends RuleKind>(list: RuleList<K>, rule: WrittenRule<K>): ResultAsync<RuleStamp, RuleClash>;
  remove(list: RuleList, id: RuleId): ResultAsync<void, never>;
  /** Removes, changes and adds rules at once: only those that are there in the end must not clash. */
  rewrite<K extends RuleKind>(list: RuleList<K>, rewrite: RuleRewrite<K>): ResultAsync<void, RuleClash>;
}

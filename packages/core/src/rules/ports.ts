import type { ResultAsync } from 'neverthrow';
import type { Rule, RuleList } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { RuleId } from '../shared/ids.ts';
import type { Page, PageRequest, PageTooLarge } from '../shared/page.ts';
import type { RuleNotFound } from './errors.ts';

/** A part of a list, with the revision of the whole, which grows with every write of the list or of a rule in it. */
export interface RulePage<K extends RuleKind> extends Page<Rule<K>> {
  readonly revision: number;
}

/** The rules of zones, to be read. What changes them is in `ZoneChanges`. */
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
  byId<K extends RuleKind>(list: RuleList<K>, id: RuleId): ResultAsync<Rule<K>, RuleNotFound>;
}

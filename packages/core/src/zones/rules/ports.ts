import type { ResultAsync } from 'neverthrow';
import type { RuleId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest, PageTooLarge, PageTooLong } from '../../kernel/shared/page.ts';
import type { Rule, RuleList } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { RuleNotFound } from '../rule-kinds/rule-lists.ts';

/** A page of a list with the revision of the whole list, which increases with every write of the list or its rules. */
export interface RulePage<K extends RuleKind> extends Page<Rule<K>> {
  readonly revision: number;
}

/** Read access to the rules of zones; `ZoneChanges` changes them. */
export interface Rules {
  /**
   * Rules in evaluation order; with names, only those whose name contains one of them. The page, the total and the
   * revision come from one snapshot. The size of a page is checked without reading the contents: `PageTooLong` if
   * several rules have more bytes than `longest`.
   */
  list<K extends RuleKind>(
    list: RuleList<K>,
    names: readonly string[],
    page: PageRequest,
    longest?: number,
  ): ResultAsync<RulePage<K>, PageTooLarge | PageTooLong>;
  byId<K extends RuleKind>(list: RuleList<K>, id: RuleId): ResultAsync<Rule<K>, RuleNotFound>;
}

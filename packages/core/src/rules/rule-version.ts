import type { Rule } from '../rule-kinds/rule.ts';
import { ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { Version } from '../shared/version.ts';

/**
 * The version includes the position, because shifted rules read differently; except in lists whose order is not
 * visible.
 */
export const ruleVersion = ({ kind, revision, order }: Pick<Rule, 'kind' | 'revision' | 'order'>): Version =>
  ruleKinds[kind].isOrdered ? `${revision}.${order}` : String(revision);

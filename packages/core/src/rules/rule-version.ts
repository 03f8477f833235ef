import type { Rule } from '../rule-kinds/rule.ts';
import { ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { Version } from '../shared/version.ts';

/**
 * A rule that was only shifted reads differently, so its position is part of its version; not in lists whose order
 * nobody sees.
 */
export const ruleVersion = ({ kind, revision, order }: Pick<Rule, 'kind' | 'revision' | 'order'>): Version =>
  ruleKinds[kind].isOrdered ? `${revision}.${order}` : String(revision);

import { GroupFinder } from './capture-groups.ts';
import { Matcher } from './matcher.ts';
import type { MatcherBudget } from './matcher-budget.ts';
import { type NfaPurpose, nfaOf } from './nfa.ts';
import type { ParsedPattern } from './pattern.ts';

/** Compiles a pattern for matching. All patterns of a configuration share the memory. */
export const compilePattern = (
  { tree }: Pick<ParsedPattern, 'tree'>,
  { ignoreCase }: Pick<NfaPurpose, 'ignoreCase'>,
  budget: MatcherBudget,
): Matcher => new Matcher(nfaOf(tree, { ignoreCase, groups: 0 }), budget);

/** Compiles a pattern for finding its groups up to a number. */
export const compileGroups = ({ tree }: Pick<ParsedPattern, 'tree'>, purpose: NfaPurpose): GroupFinder =>
  new GroupFinder(nfaOf(tree, purpose));

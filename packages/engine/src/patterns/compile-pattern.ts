import { GroupFinder } from './capture-groups.ts';
import { Matcher } from './matcher.ts';
import type { MatcherBudget } from './matcher-budget.ts';
import { nfaOf } from './nfa.ts';
import type { ParsedPattern } from './pattern.ts';

/** How a pattern is matched. */
export interface PatternOptions {
  /** Ignores the case of ASCII letters. */
  readonly ignoreCase: boolean;
}

/** Compiles a pattern for matching. All patterns of a configuration share the memory. */
export const compilePattern = (
  { tree }: Pick<ParsedPattern, 'tree'>,
  { ignoreCase }: PatternOptions,
  budget: MatcherBudget,
): Matcher => new Matcher(nfaOf(tree, { ignoreCase, groups: 0 }), budget);

/** Compiles a pattern for finding its groups up to a number. */
export const compileGroups = (
  { tree }: Pick<ParsedPattern, 'tree'>,
  { ignoreCase, groups }: PatternOptions & { readonly groups: number },
): GroupFinder => new GroupFinder(nfaOf(tree, { ignoreCase, groups }));

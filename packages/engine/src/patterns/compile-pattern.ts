import { GroupFinder } from './groups.ts';
import { Matcher } from './matcher.ts';
import type { MatcherMemory } from './matcher-memory.ts';
import { nfaOf } from './nfa.ts';
import type { ParsedPattern } from './pattern.ts';

/** What decides how a pattern is compared. */
export interface PatternOptions {
  /** A byte fits when it or its other case as an ASCII letter does. */
  readonly ignoreCase: boolean;
}

/** Makes a pattern ready for matching. The memory is shared by all patterns of one configuration. */
export const compilePattern = (
  { tree }: Pick<ParsedPattern, 'tree'>,
  { ignoreCase }: PatternOptions,
  memory: MatcherMemory,
): Matcher => new Matcher(nfaOf(tree, { ignoreCase, groups: 0 }), memory);

/** Makes a pattern ready for finding the texts of its groups up to a number. */
export const compileGroups = (
  { tree }: Pick<ParsedPattern, 'tree'>,
  { ignoreCase, groups }: PatternOptions & { readonly groups: number },
): GroupFinder => new GroupFinder(nfaOf(tree, { ignoreCase, groups }));

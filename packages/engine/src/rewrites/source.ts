import { canonicalPath } from '../conditions/canonical-url.ts';
import type { RewriteRule } from '../configuration/configuration.ts';
import { compileGroups, compilePattern } from '../patterns/compile-pattern.ts';
import type { MatcherMemory } from '../patterns/matcher-memory.ts';
import type { ParsedPattern } from '../patterns/pattern.ts';
import { PreparedPattern } from '../patterns/prepared-pattern.ts';

/** What of a path a source has found. */
export interface SourceMatch {
  readonly groups: readonly string[];
  /** What comes after the source, where it is a beginning; else "". */
  readonly rest: string;
}

/** Compares a path with a source; undefined: it does not fit. */
export type Source = (path: string) => SourceMatch | undefined;

const whole: SourceMatch = { groups: [], rest: '' };

/** The source of a rewrite rule; `pattern` is what its text was read as, where it is a pattern. */
export function compileSource(
  { operator, sourcePattern }: Pick<RewriteRule, 'operator' | 'sourcePattern'>,
  pattern: ParsedPattern | undefined,
  groups: number,
  memory: MatcherMemory,
): Source {
  if (pattern !== undefined) return patternSource(pattern, operator === 'regex_ci', groups, memory);
  const isStart = operator === 'starts_with';
  const source = canonicalPath(isStart ? 'starts_with' : 'equals', sourcePattern);
  if (source === undefined) return () => undefined;
  if (!isStart) return (path) => (path === source ? whole : undefined);
  return (path) => (path.startsWith(source) ? { groups: [], rest: path.slice(source.length) } : undefined);
}

/** Groups are looked for only when a match is there. */
function patternSource(pattern: ParsedPattern, ignoreCase: boolean, groups: number, memory: MatcherMemory): Source {
  const matcher = new PreparedPattern(pattern, memory, () => compilePattern(pattern, { ignoreCase }, memory));
  if (groups === 0) return (path) => (matcher.for(path.length).test(path) ? whole : undefined);
  const finder = new PreparedPattern(pattern, memory, () => compileGroups(pattern, { ignoreCase, groups }));
  return (path) => {
    if (!matcher.for(path.length).test(path)) return undefined;
    // Groups are found a state at a time.
    const found = finder.for(wordBits * path.length).find(path);
    return found === undefined ? undefined : { groups: found, rest: '' };
  };
}

const wordBits = 32;

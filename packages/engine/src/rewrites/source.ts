import { canonicalPath } from '../conditions/canonical-url.ts';
import type { RewriteRule } from '../configuration/configuration.ts';
import { compileGroups, compilePattern, PreparedPattern } from '../patterns/compile-pattern.ts';
import type { ParsedPattern } from '../patterns/pattern.ts';
import type { PatternResources } from '../patterns/pattern-memory.ts';

/** How a source matched a path. */
export interface SourceMatch {
  /** The texts of groups 1, 2, …. */
  readonly groups: readonly string[];
  /** The path after the source if that is a prefix, which is appended; else "". */
  readonly rest: string;
}

/** Matches a path; undefined: no match. */
export type Source = (path: string) => SourceMatch | undefined;

const whole: SourceMatch = { groups: [], rest: '' };

/** Compiles the source of a rewrite rule; `pattern` is its parsed text, if it is a pattern. */
export function compileSource(
  { operator, sourcePattern }: Pick<RewriteRule, 'operator' | 'sourcePattern'>,
  pattern: ParsedPattern | undefined,
  groups: number,
  resources: PatternResources,
): Source {
  if (pattern !== undefined) return patternSource(pattern, operator === 'regex_ci', groups, resources);
  const isStart = operator === 'starts_with';
  const source = canonicalPath(isStart ? 'starts_with' : 'equals', sourcePattern);
  if (source === undefined) return () => undefined;
  const compared = 1 + (source.length >> 2);
  return (path) => {
    resources.work.spend(compared);
    if (!isStart) return path === source ? whole : undefined;
    return path.startsWith(source) ? { groups: [], rest: path.slice(source.length) } : undefined;
  };
}

/** Searches for groups only if there is a match. */
function patternSource(
  pattern: ParsedPattern,
  ignoreCase: boolean,
  groups: number,
  resources: PatternResources,
): Source {
  const matcher = new PreparedPattern(pattern, resources, () => compilePattern(pattern, { ignoreCase }, resources));
  if (groups === 0) return (path) => (matcher.get().test(path) ? whole : undefined);
  const finder = new PreparedPattern(pattern, resources, () =>
    compileGroups(pattern, { ignoreCase, groups }, resources),
  );
  return (path) => {
    if (!matcher.get().test(path)) return undefined;
    const match = finder.get().find(path);
    return match === undefined ? undefined : { groups: match, rest: '' };
  };
}

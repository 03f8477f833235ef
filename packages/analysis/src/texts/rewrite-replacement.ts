import { normalizeQuery, type PathNormalization, type RewriteRule } from '@zonewright/engine';
import { canonicalPath, parseTarget, rewrittenPath, type Template } from '@zonewright/engine/internals';
import { capturedSuffix } from './pattern-texts.ts';
import type { Replacement } from './rewritten-address.ts';

const wholeText = (template: Template): string | undefined =>
  template.every((part) => typeof part === 'string') ? template.join('') : undefined;

/**
 * The effect of a rule on the address; undefined if it inserts groups other than the rest of a path, or if appending the
 * rest could need renormalization.
 */
export function replacementOf(rule: RewriteRule, normalization: PathNormalization): Replacement | undefined {
  const { operator, sourcePattern, target, preserveQueryString: keepsQuery } = rule;
  const parsed = parseTarget(target);
  const own = wholeText(parsed.query);
  if (own === undefined) return undefined;
  const query = normalizeQuery(own);
  const written = wholeText(parsed.path);
  if (written === undefined) return keepingGroup(rule, normalization, parsed.path, query);
  const path = rewrittenPath(written === '' ? '/' : written, normalization);
  if (operator !== 'starts_with') return { source: undefined, path, query, keepsQuery };
  const source = canonicalPath('starts_with', sourcePattern);
  return source !== undefined && staysCanonical(source, written) ? { source, path, query, keepsQuery } : undefined;
}

/** The effect of a rule that appends the rest of the path, or its beginning, as a group. */
function keepingGroup(
  { operator, sourcePattern, preserveQueryString: keepsQuery }: RewriteRule,
  normalization: PathNormalization,
  template: Template,
  query: string,
): Replacement | undefined {
  const [written, group, ...more] = template;
  if (operator !== 'regex' || typeof written !== 'string' || group !== 1 || more.length > 0) return undefined;
  const rest = capturedSuffix(sourcePattern);
  if (rest === undefined) return undefined;
  const { source, keeps } = rest;
  const isCanonical = keeps === undefined ? staysCanonical(source, written) : isPlainPath(written);
  return isCanonical ? { source, keeps, path: rewrittenPath(written, normalization), query, keepsQuery } : undefined;
}

/** A path without dots and percent signs. */
const isPlainPath = (written: string): boolean => /^\/(?:[A-Za-z0-9_-][A-Za-z0-9_/-]*)?$/.test(written);

/**
 * Whether the rest of a path can be appended unchanged: neither a dot segment nor a percent-triplet spans the boundary.
 */
const staysCanonical = (source: string, written: string): boolean =>
  isPlainPath(written) && !/%.?$/.test(source) && (!written.endsWith('/') || source.endsWith('/'));

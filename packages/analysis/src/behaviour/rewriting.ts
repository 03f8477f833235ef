import { normalizeQuery, type RewriteRule } from '@zonewright/engine';
import { canonicalPath, parseTarget, type Template } from '@zonewright/engine/internals';
import type { AnalysedRule } from '../findings/analysed-rules.ts';
import { canonicalWritten, queryEquals, resultOf } from '../findings/hidden-rules.ts';
import type { Clauses } from '../solver/clauses.ts';
import { isAddress, type Literal, opposite, type Predicates } from '../solver/predicates.ts';
import { withPart } from '../texts/address-automata.ts';
import type { AddressPart } from '../texts/address-words.ts';
import { noText } from '../texts/literals.ts';
import { beforeReplacement, keptWhole, type Replacement } from '../texts/rewritten-address.ts';
import { capturedSuffix, visibleBytes } from './captured-suffix.ts';

/** A rewrite rule that applies; undefined: none. */
export type Rewrite = AnalysedRule<RewriteRule> | undefined;

const wholeText = (template: Template): string | undefined =>
  template.every((part) => typeof part === 'string') ? template.join('') : undefined;

/**
 * The effect of a rule on the address; undefined if it inserts groups other than the rest of a path, or if appending the
 * rest could need renormalization.
 */
export function replacementOf(rule: RewriteRule): Replacement | undefined {
  const { operator, sourcePattern, target, preserveQueryString: keepsQuery } = rule;
  const parsed = parseTarget(target);
  const own = wholeText(parsed.query);
  if (own === undefined) return undefined;
  const query = normalizeQuery(own);
  const written = wholeText(parsed.path);
  if (written === undefined) return keepingGroup(rule, parsed.path, query);
  const path = canonicalWritten(written === '' ? '/' : written);
  if (operator !== 'starts_with') return { source: undefined, path, query, keepsQuery };
  const source = canonicalPath('starts_with', sourcePattern);
  return source !== undefined && staysCanonical(source, written) ? { source, path, query, keepsQuery } : undefined;
}

/** The effect of a rule that appends the rest of the path, or its beginning, as a group. */
function keepingGroup(
  { operator, sourcePattern, preserveQueryString: keepsQuery }: RewriteRule,
  template: Template,
  query: string,
): Replacement | undefined {
  const [written, group, ...more] = template;
  if (operator !== 'regex' || typeof written !== 'string' || group !== 1 || more.length > 0) return undefined;
  const rest = capturedSuffix(sourcePattern);
  if (rest === undefined) return undefined;
  const { source, keeps } = rest;
  const isCanonical = keeps === undefined ? staysCanonical(source, written) : isPlainPath(written);
  return isCanonical ? { source, keeps, path: canonicalWritten(written), query, keepsQuery } : undefined;
}

/** A path without dots and percent signs. */
const isPlainPath = (written: string): boolean => /^\/(?:[A-Za-z0-9_-][A-Za-z0-9_/-]*)?$/.test(written);

/**
 * Whether the rest of a path can be appended unchanged: neither a dot segment nor a percent-triplet spans the boundary.
 */
const staysCanonical = (source: string, written: string): boolean =>
  isPlainPath(written) && !/%.?$/.test(source) && (!written.endsWith('/') || source.endsWith('/'));

const partsOf = ({ predicate }: Literal): readonly AddressPart[] => predicate.parts ?? [];
const isRewritten = (literal: Literal): boolean =>
  literal.predicate.variable === 'address' && partsOf(literal).some((part) => part === 'path' || part === 'query');

/** A key for rules that give every request the same address. */
const nameOf = (rule: AnalysedRule<RewriteRule>): string => {
  const { operator, sourcePattern, target, preserveQueryString } = rule.content;
  return JSON.stringify([operator, sourcePattern, target, preserveQueryString]);
};

/**
 * Translates clauses about the rewritten request into clauses about the original one. If the rule is too complex for
 * that, they refer to a separate address of which only the beginning is known, and so hold for more requests.
 */
export function beforeRewriting(clauses: Clauses, rule: Rewrite, predicates: Predicates): Clauses {
  if (rule === undefined) return clauses;
  const replacement = replacementOf(rule.content);
  const moved = (literal: Literal): Literal => {
    if (!isRewritten(literal)) return literal;
    if (replacement === undefined) return predicates.ofRewritten(nameOf(rule), literal);
    const { predicate, positive } = literal;
    const parts = [...new Set<AddressPart>([...partsOf(literal), 'path', 'query'])];
    const name = `${nameOf(rule)} ${predicate.number}`;
    const set = () => beforeReplacement(predicate.set?.() ?? noText, replacement);
    const before = predicates.ofAddress(name, parts, set);
    return positive ? before : opposite(before);
  };
  const all = clauses.map((clause) => clause.map(moved));
  if (
    !all.some((clause) =>
      clause.some(({ predicate }) => predicate.variable !== 'address' && isAddress(predicate.variable)),
    )
  )
    return all;
  const results = resultOf(predicates, rule.content).map((clause) =>
    clause.map((each) => predicates.ofRewritten(nameOf(rule), each)),
  );
  return [...results, ...all];
}

/**
 * What must hold for two applicable rules to give a request different addresses; undefined if they never do. Necessary
 * but not sufficient if groups are inserted.
 */
export function unlike(before: Rewrite, after: Rewrite, predicates: Predicates): Clauses | undefined {
  const only = before ?? after;
  if (only === undefined) return undefined;
  if (before === undefined || after === undefined) return unlikeNone(only, predicates);
  const [one, other] = [before.content, after.content];
  const isSameAddress =
    one.target === other.target &&
    (one.operator === 'starts_with') === (other.operator === 'starts_with') &&
    ((one.operator !== 'starts_with' && parseTarget(one.target).groups === 0) ||
      (one.operator === other.operator && one.sourcePattern === other.sourcePattern));
  if (!isSameAddress) return [];
  if (one.preserveQueryString === other.preserveQueryString) return undefined;
  return [[opposite(predicates.ofLeaf({ field: 'query', operator: 'equals', target: '', value: '' }))]];
}

/** The same for one rule and none. */
function unlikeNone({ content }: AnalysedRule<RewriteRule>, predicates: Predicates): Clauses | undefined {
  const replacement = replacementOf(content);
  if (replacement === undefined) return [];
  const { source, path, query, keepsQuery } = replacement;
  if ((source !== undefined && source !== path) || (keepsQuery && query !== '')) return [];
  const otherPath = unlessSamePath(replacement, predicates);
  const either = keepsQuery ? otherPath : [...otherPath, opposite(queryEquals(predicates, query))];
  return either.length === 0 ? undefined : [either];
}

/** One of these holds for every path that is replaced by a different one; none if there is no such path. */
function unlessSamePath({ source, keeps, path }: Replacement, predicates: Predicates): readonly Literal[] {
  if (source === undefined) return [opposite(predicates.ofPath(path))];
  if (keeps !== undefined) {
    const bytes = visibleBytes.filter(keeps).join();
    const name = JSON.stringify(['kept', source, bytes]);
    return [opposite(predicates.ofAddress(name, ['path'], () => withPart('path', keptWhole(source, keeps))))];
  }
  // Several slashes at the beginning collapse into one.
  return source === '/' ? [predicates.ofLeaf({ field: 'uri', operator: 'starts_with', target: '', value: '//' })] : [];
}

import type { PathNormalization, RewriteRule } from '@zonewright/engine';
import { canonicalHost, leadsToOwnHost, parseTarget, withOwnHost } from '@zonewright/engine/internals';
import type { AnalysedRule } from '../findings/analysed-rules.ts';
import { queryEquals, resultOf } from '../findings/hidden-rules.ts';
import type { Clauses } from '../solver/clauses.ts';
import { isAddress, type Literal, opposite, type Predicates } from '../solver/predicates.ts';
import { withPart } from '../texts/address-automata.ts';
import type { AddressPart } from '../texts/address-words.ts';
import { noText } from '../texts/literals.ts';
import { visibleBytes } from '../texts/pattern-texts.ts';
import { replacementOf } from '../texts/rewrite-replacement.ts';
import { beforeReplacement, keptWhole, type Replacement } from '../texts/rewritten-address.ts';

/** How a side of a comparison reads paths. */
export interface PathReading {
  readonly normalization: PathNormalization;
  /** It merges slashes that the other side keeps. */
  readonly merges: boolean;
}

/** A rewrite rule that applies; undefined: none. */
export type Rewrite = AnalysedRule<RewriteRule> | undefined;

const partsOf = ({ predicate }: Literal): readonly AddressPart[] => predicate.parts ?? [];
const isRewritten = (literal: Literal): boolean =>
  literal.predicate.variable === 'address' && partsOf(literal).some((part) => part === 'path' || part === 'query');

/** A key for rules that give every request the same address. */
const nameOf = (rule: AnalysedRule<RewriteRule>, { normalization, merges }: PathReading): string => {
  const { operator, sourcePattern, target, preserveQueryString } = rule.content;
  return JSON.stringify([operator, sourcePattern, target, preserveQueryString, normalization, merges]);
};

/**
 * Translates clauses about the rewritten request into clauses about the original one. If the rule is too complex for
 * that, they refer to a separate address of which only the beginning is known, and so hold for more requests.
 */
export function beforeRewriting(
  clauses: Clauses,
  rule: Rewrite,
  reading: PathReading,
  predicates: Predicates,
): Clauses {
  if (rule === undefined) return clauses;
  const replacement = replacementOf(rule.content, reading.normalization);
  const ruleName = nameOf(rule, reading);
  const moved = (literal: Literal): Literal => {
    if (!isRewritten(literal)) return literal;
    if (replacement === undefined) return predicates.ofRewritten(ruleName, literal);
    const { predicate, positive } = literal;
    const parts = [...new Set<AddressPart>([...partsOf(literal), 'path', 'query'])];
    const name = `${ruleName} ${predicate.number}`;
    const set = () => beforeReplacement(predicate.set?.() ?? noText, replacement);
    const rewritten = predicates.ofAddress(name, parts, set);
    const before = reading.merges ? predicates.ofMerged(rewritten) : rewritten;
    return positive ? before : opposite(before);
  };
  const all = clauses.map((clause) => clause.map(moved));
  if (
    !all.some((clause) =>
      clause.some(({ predicate }) => predicate.variable !== 'address' && isAddress(predicate.variable)),
    )
  )
    return all;
  const results = resultOf(predicates, rule.content, reading.normalization).map((clause) =>
    clause.map((each) => predicates.ofRewritten(ruleName, each)),
  );
  return [...results, ...all];
}

/** How both sides of a comparison read paths. */
export interface PathReadings {
  readonly before: PathReading;
  readonly after: PathReading;
}

/**
 * What must hold for two applicable rules to give a request different addresses; undefined if they never do. Necessary
 * but not sufficient if groups are inserted.
 */
export function unlike(
  before: Rewrite,
  after: Rewrite,
  readings: PathReadings,
  predicates: Predicates,
): Clauses | undefined {
  const clauses = unlikeForOnePath(before, after, readings, predicates);
  if (readings.before.normalization === readings.after.normalization) return clauses;
  // Where there are slashes to merge, the sides see different paths.
  const runs = predicates.ofSlashRuns();
  return clauses === undefined ? [[runs]] : clauses.map((clause) => [...clause, runs]);
}

/** The same for requests of which both sides see the same path. */
function unlikeForOnePath(
  before: Rewrite,
  after: Rewrite,
  readings: PathReadings,
  predicates: Predicates,
): Clauses | undefined {
  if (before === undefined) return after === undefined ? undefined : unlikeNone(after, readings.after, predicates);
  if (after === undefined) return unlikeNone(before, readings.before, predicates);
  const [one, other] = [before.content, after.content];
  if (readings.before.normalization !== readings.after.normalization) {
    const replacements = [
      replacementOf(one, readings.before.normalization),
      replacementOf(other, readings.after.normalization),
    ];
    if (replacements[0] === undefined || replacements[0].path !== replacements[1]?.path) return [];
  }
  const fixed = sameButForHost(one.target, other.target);
  const isSameAddress = (one.target === other.target || fixed !== undefined) && takeAlike(one, other);
  if (!isSameAddress) return [];
  const isSameQuery = one.preserveQueryString === other.preserveQueryString;
  return fixed === undefined && isSameQuery ? undefined : [differing(fixed, isSameQuery, predicates)];
}

/** Whether both take the same from every path into the same target. */
const takeAlike = (one: RewriteRule, other: RewriteRule): boolean =>
  (one.operator === 'starts_with') === (other.operator === 'starts_with') &&
  ((one.operator !== 'starts_with' && parseTarget(one.target).groups === 0) ||
    (one.operator === other.operator && one.sourcePattern === other.sourcePattern));

/** The host is not the one that only one target names, or there is a query that only one rule preserves. */
const differing = (host: string | undefined, isSameQuery: boolean, predicates: Predicates): readonly Literal[] => [
  ...(host === undefined ? [] : [opposite(predicates.ofPart({ part: 'host', text: host, isWhole: true }))]),
  ...(isSameQuery ? [] : [opposite(predicates.ofPart({ part: 'query', text: '', isWhole: true }))]),
];

/** The host that one target names where the other, which is otherwise equal, leads to that of the request. */
function sameButForHost(one: string, other: string): string | undefined {
  const [own, named] = leadsToOwnHost(one) ? [one, other] : [other, one];
  const [, host = ''] = /^https?:\/\/([a-z0-9._-]+)/.exec(named) ?? [];
  return leadsToOwnHost(own) && canonicalHost(host) === host && withOwnHost(own, host) === named ? host : undefined;
}

/** The same for one rule and none. */
function unlikeNone(
  { content }: AnalysedRule<RewriteRule>,
  { normalization }: PathReading,
  predicates: Predicates,
): Clauses | undefined {
  const replacement = replacementOf(content, normalization);
  if (replacement === undefined) return [];
  const { source, path, query, keepsQuery } = replacement;
  if ((source !== undefined && source !== path) || (keepsQuery && query !== '')) return [];
  const otherPath = unlessSamePath(replacement, predicates);
  const either = keepsQuery ? otherPath : [...otherPath, opposite(queryEquals(predicates, query))];
  return either.length === 0 ? undefined : [either];
}

/** One of these holds for every path that is replaced by a different one; none if there is no such path. */
function unlessSamePath({ source, keeps, path }: Replacement, predicates: Predicates): readonly Literal[] {
  if (source === undefined) return [opposite(predicates.ofPart({ part: 'path', text: path, isWhole: true }))];
  if (keeps !== undefined) {
    const bytes = visibleBytes.filter(keeps).join();
    const name = JSON.stringify(['kept', source, bytes]);
    return [opposite(predicates.ofAddress(name, ['path'], () => withPart('path', keptWhole(source, keeps))))];
  }
  // Several slashes at the beginning collapse into one.
  return source === '/' ? [predicates.ofLeaf({ field: 'uri', operator: 'starts_with', target: '', value: '//' })] : [];
}

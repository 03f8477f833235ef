import type { Finding, FindingCode } from '@zonewright/core';
import type { Clauses } from '../solver/clauses.ts';
import { satisfies } from '../solver/model.ts';
import type { Answer } from '../solver/solver.ts';
import { type AnalysedRule, failsOf } from './analysed-rules.ts';
import { finding, named, namesOf } from './finding.ts';
import { outcomeIn, smallest, type ZoneAnalysis } from './zone-analysis.ts';

/** A finding that was neither proven nor refuted. */
export const undecided = (code: FindingCode, rule: AnalysedRule, what: string): Finding =>
  finding({
    code,
    verdict: 'undecided',
    message: `It could not be decided whether ${named(rule)} ${what}.`,
    rules: [rule],
    members: [],
  });

/**
 * Analyses a list: rules that never match, always match, are covered by earlier ones, or equal one. `live` are those
 * that some request may reach.
 */
export function ruleFindings<Rule>(zone: ZoneAnalysis, rules: readonly AnalysedRule<Rule>[]) {
  const findings: Finding[] = [];
  const live: AnalysedRule<Rule>[] = [];
  let names = '';
  for (const rule of rules) {
    if (zone.isOver) break;
    const name = zone.nameOf(rule);
    const context = zone.once(`rule ${rule.list} ${name} ${names}`, () => knownOf(zone, rule, live));
    findings.push(...described(zone, rule, live, context));
    if (context.never === 'none' || Array.isArray(context.covering)) continue;
    names += ` ${name}`;
    live.push(rule);
  }
  return { findings, live };
}

/** What is known of a rule after others; rules are referred to by index. */
interface RuleContext {
  /** Whether no request matches, and if so, the indexes of contradictory literals. */
  readonly never: Decided;
  readonly clashing: readonly number[];
  /** The earlier rules that cover it; undefined: it is reachable. */
  readonly covering: readonly number[] | 'undecided' | undefined;
  /** `none`: it matches every request. */
  readonly others: Decided;
  readonly equal: number | 'undecided' | undefined;
}

type Decided = 'some' | 'none' | 'undecided';
const decided = (answer: Answer): Decided => (typeof answer === 'string' ? answer : 'some');

function knownOf(zone: ZoneAnalysis, rule: AnalysedRule, live: readonly AnalysedRule[]): RuleContext {
  const { holds, fails } = rule.formula;
  const first = zone.shortest(holds, rule.list);
  const open: RuleContext = {
    never: decided(first),
    clashing: [],
    covering: undefined,
    others: 'some',
    equal: undefined,
  };
  if (first === 'none') return { ...open, clashing: clashing(zone, rule) };
  const covering = first === 'undecided' ? undefined : coveringRules(zone, rule, live);
  if (Array.isArray(covering) || rule.list === 'rewriteRules') return { ...open, covering };
  return { ...open, covering, others: decided(zone.some(fails, rule.list)), equal: equalRule(zone, rule, live, first) };
}

function clashing(zone: ZoneAnalysis, { formula, list }: AnalysedRule): readonly number[] {
  const places = [...formula.literals.keys()];
  // If any condition suffices, each of them must be impossible.
  const isClauseEach = formula.holds.length === formula.literals.length;
  const clausesAt = (some: readonly number[]): Clauses => some.map((at) => formula.holds[at] ?? []);
  return isClauseEach ? smallest(places, (some) => !zone.isOver && zone.isImpossible(clausesAt(some), list)) : places;
}

function coveringRules(
  zone: ZoneAnalysis,
  { formula: { holds }, list }: AnalysedRule,
  live: readonly AnalysedRule[],
): RuleContext['covering'] {
  const stopping = [...live.keys()].filter((at) => live[at]?.stops);
  if (stopping.length === 0 || list === 'securityScenarios') return undefined;
  const without = (some: readonly number[]): Clauses => [...holds, ...failsOf(some.flatMap((at) => live[at] ?? []))];
  const left = zone.some(without(stopping), list);
  if (left === 'undecided') return left;
  return left === 'none'
    ? smallest(stopping, (some) => !zone.isOver && zone.isImpossible(without(some), list))
    : undefined;
}

function equalRule(
  zone: ZoneAnalysis,
  rule: AnalysedRule,
  live: readonly AnalysedRule[],
  first: Answer,
): RuleContext['equal'] {
  let isOpen = false;
  for (const [at, other] of live.entries()) {
    if (zone.isOver) return 'undecided';
    if (typeof first !== 'string' && !satisfies(first, other.formula.holds)) continue;
    const ways = [
      zone.some([...rule.formula.holds, ...other.formula.fails], rule.list),
      zone.some([...other.formula.holds, ...rule.formula.fails], rule.list),
    ];
    if (!isOpen && ways.every((way) => way === 'none')) return at;
    isOpen ||= ways.every((way) => typeof way === 'string');
  }
  return isOpen ? 'undecided' : undefined;
}

function described(
  zone: ZoneAnalysis,
  rule: AnalysedRule,
  live: readonly AnalysedRule[],
  { never, clashing: places, covering, others, equal }: RuleContext,
): readonly Finding[] {
  if (never === 'none') return [neverMatches(rule, places)];
  if (Array.isArray(covering))
    return [
      unreachable(
        zone,
        rule,
        covering.flatMap((at: number) => live[at] ?? []),
      ),
    ];
  return [
    ...(never === 'undecided' ? [undecided('rule.neverMatches', rule, 'ever matches')] : []),
    ...(covering === 'undecided' ? [undecided('rule.unreachable', rule, 'is ever reached')] : []),
    ...(others === 'undecided' ? [undecided('rule.alwaysMatches', rule, 'matches every request')] : []),
    ...(others === 'none' ? [alwaysMatches(rule)] : []),
    ...(equal === 'undecided' ? [undecided('rule.equal', rule, 'means the same as an earlier rule')] : []),
    ...(typeof equal === 'number' ? live.slice(equal, equal + 1).map((other) => equalTo(zone, rule, other)) : []),
  ];
}

const neverMatches = (rule: AnalysedRule, places: readonly number[]): Finding =>
  finding({
    code: 'rule.neverMatches',
    message: `No request matches ${named(rule)}: its conditions contradict each other, or no request can have such values.`,
    rules: [rule],
    members: places.flatMap((at) => rule.leaves[at] ?? []),
  });

const alwaysMatches = (rule: AnalysedRule): Finding =>
  finding({
    code: 'rule.alwaysMatches',
    message: `Every request matches ${named(rule)}.`,
    rules: [rule],
    members: [rule.whole],
  });

function unreachable(zone: ZoneAnalysis, rule: AnalysedRule, because: readonly AnalysedRule[]): Finding {
  const before: readonly AnalysedRule[] = zone.rules[rule.list];
  const ids = new Set(before.filter(({ stops, place }) => stops && place < rule.place).map(({ id }) => id));
  let others: ReturnType<ZoneAnalysis['without']> | undefined;
  const witness = zone.witness(rule.formula.holds, rule.list, (evaluation, request) => {
    others ??= zone.without(rule.list, ({ id }) => ids.has(id));
    const alone = zone.evaluate(request, others);
    return outcomeIn(evaluation, rule) === 'afterStop' && alone !== undefined && outcomeIn(alone, rule) === 'matched';
  });
  return finding({
    code: 'rule.unreachable',
    message: `No request reaches ${named(rule)}: ${namesOf(because)} ${because.length === 1 ? 'stops' : 'stop'} every request that matches it.`,
    rules: [rule, ...because],
    members: [rule.whole],
    because,
    witness,
  });
}

function equalTo(zone: ZoneAnalysis, rule: AnalysedRule, other: AnalysedRule): Finding {
  const both = [rule, other];
  const witness = zone.witness(rule.formula.holds, rule.list, (evaluation) =>
    both.every((each) => outcomeIn(evaluation, each) === 'matched'),
  );
  return finding({
    code: 'rule.equal',
    message: `${named(rule, true)} matches exactly the requests that ${named(other)} matches.`,
    rules: both,
    members: both.map(({ whole }) => whole),
    witness,
  });
}

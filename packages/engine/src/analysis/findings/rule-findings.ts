import type { Clauses } from '../solver/clauses.ts';
import { satisfies } from '../solver/model.ts';
import type { Answer } from '../solver/solver.ts';
import { type AnalysedRule, referenceTo } from './analysed-rules.ts';
import { type Finding, type FindingCode, finding } from './finding.ts';
import { named, namesOf } from './messages.ts';
import { failsOf, outcomeIn, smallest, type ZoneAnalysis } from './zone-analysis.ts';

/** What is known of the rules of one list by themselves. */
export interface RuleFindings<Rule> {
  readonly findings: readonly Finding[];
  /** The rules that some request reaches, as far as is known. */
  readonly live: readonly AnalysedRule<Rule>[];
}

/** A finding that could be neither proven nor refuted. */
export const undecided = (code: FindingCode, rule: AnalysedRule, what: string): Finding =>
  finding({
    code,
    verdict: 'undecided',
    message: `It could not be decided whether ${named(rule)} ${what}.`,
    rules: [referenceTo(rule)],
    members: [],
  });

/** Goes through a list: which rules never match, always match, are covered by earlier ones or equal to one. */
export function ruleFindings<Rule>(zone: ZoneAnalysis, rules: readonly AnalysedRule<Rule>[]): RuleFindings<Rule> {
  const findings: Finding[] = [];
  const live: AnalysedRule<Rule>[] = [];
  for (const rule of rules) {
    const first = zone.shortest(rule.formula.holds);
    const dead = neverMatches(zone, rule, first) ?? unreachable(zone, rule, live);
    if (dead !== undefined) findings.push(dead);
    if (dead?.verdict === 'proven') continue;
    if (rule.list !== 'rewriteRules') findings.push(...alwaysMatches(zone, rule), ...equal(zone, rule, live, first));
    live.push(rule);
  }
  return { findings, live };
}

function neverMatches(zone: ZoneAnalysis, rule: AnalysedRule, first: Answer): Finding | undefined {
  if (first === 'undecided') return undecided('rule.neverMatches', rule, 'ever matches');
  if (first !== 'none') return undefined;
  return finding({
    code: 'rule.neverMatches',
    message: `No request matches ${named(rule)}: its conditions contradict each other or the form of requests.`,
    rules: [referenceTo(rule)],
    members: clashing(zone, rule),
  });
}

function clashing(zone: ZoneAnalysis, { formula, leaves }: AnalysedRule): readonly string[] {
  const places = [...formula.literals.keys()];
  // Where one condition is enough, each of them has to be impossible.
  const isClauseEach = formula.holds.length === formula.literals.length;
  const clausesAt = (some: readonly number[]): Clauses => some.map((at) => formula.holds[at] ?? []);
  const clash = isClauseEach ? smallest(places, (some) => zone.isImpossible(clausesAt(some))) : places;
  return clash.flatMap((at) => leaves[at] ?? []);
}

function alwaysMatches(zone: ZoneAnalysis, rule: AnalysedRule): readonly Finding[] {
  const other = zone.some(rule.formula.fails);
  if (other === 'undecided') return [undecided('rule.alwaysMatches', rule, 'matches every request')];
  if (other !== 'none') return [];
  return [
    finding({
      code: 'rule.alwaysMatches',
      message: `Every request matches ${named(rule)}.`,
      rules: [referenceTo(rule)],
      members: [rule.whole],
    }),
  ];
}

function unreachable(zone: ZoneAnalysis, rule: AnalysedRule, live: readonly AnalysedRule[]): Finding | undefined {
  const stopping = live.filter(({ stops }) => stops);
  if (stopping.length === 0 || rule.list === 'securityScenarios') return undefined;
  const { holds } = rule.formula;
  const left = zone.some([...holds, ...failsOf(stopping)]);
  if (left === 'undecided') return undecided('rule.unreachable', rule, 'is ever reached');
  if (left !== 'none') return undefined;
  const because = smallest(stopping, (some) => zone.isImpossible([...holds, ...failsOf(some)]));
  const before: readonly AnalysedRule[] = zone.rules[rule.list];
  const ids = new Set(before.filter(({ stops, place }) => stops && place < rule.place).map(({ id }) => id));
  let others: ReturnType<ZoneAnalysis['without']> | undefined;
  const witness = zone.witness(holds, rule.list, (evaluation, request) => {
    others ??= zone.without(rule.list, ({ id }) => ids.has(id));
    const alone = zone.evaluate(request, others);
    return outcomeIn(evaluation, rule) === 'afterStop' && alone !== undefined && outcomeIn(alone, rule) === 'matched';
  });
  return finding({
    code: 'rule.unreachable',
    message: `No request reaches ${named(rule)}: ${namesOf(because)} ${because.length === 1 ? 'takes' : 'take'} all that match it.`,
    rules: [rule, ...because].map(referenceTo),
    members: [rule.whole],
    because: because.map(referenceTo),
    ...(witness === undefined ? {} : { witness }),
  });
}

function equal(
  zone: ZoneAnalysis,
  rule: AnalysedRule,
  live: readonly AnalysedRule[],
  first: Answer,
): readonly Finding[] {
  let isOpen = false;
  for (const other of live) {
    if (typeof first !== 'string' && !satisfies(first, other.formula.holds)) continue;
    const ways = [
      zone.some([...rule.formula.holds, ...other.formula.fails]),
      zone.some([...other.formula.holds, ...rule.formula.fails]),
    ];
    if (!isOpen && ways.every((way) => way === 'none')) return [equalTo(zone, rule, other)];
    isOpen ||= ways.every((way) => typeof way === 'string');
  }
  return isOpen ? [undecided('rule.equal', rule, 'means the same as an earlier rule')] : [];
}

function equalTo(zone: ZoneAnalysis, rule: AnalysedRule, other: AnalysedRule): Finding {
  const both = [rule, other];
  const witness = zone.witness(rule.formula.holds, rule.list, (evaluation) =>
    both.every((each) => outcomeIn(evaluation, each) === 'matched'),
  );
  return finding({
    code: 'rule.equal',
    message: `${named(rule, true)} matches exactly the requests that ${named(other)} matches.`,
    rules: both.map(referenceTo),
    members: both.map(({ whole }) => whole),
    ...(witness === undefined ? {} : { witness }),
  });
}

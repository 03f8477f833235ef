import type { Finding } from '@zonewright/core';
import { type ConfigurationRule, settingPairs } from '@zonewright/engine';
import { contradicts } from '@zonewright/engine/internals';
import type { Clauses } from '../solver/clauses.ts';
import { type AnalysedRule, failsOf, reachedIn } from './analysed-rules.ts';
import { finding, named, namesOf } from './finding.ts';
import { undecided } from './rule-findings.ts';
import { isFrom, outcomeIn, smallest, type ZoneAnalysis } from './zone-analysis.ts';

type Rule = AnalysedRule<ConfigurationRule>;

/** The settings that a rule overrides. */
export const overrides = ({ content }: Rule): Readonly<Record<string, unknown>> => content.settingsOverrides;
/** Whether a rule overrides the setting. */
export const writes = (rule: Rule, key: string): boolean => Object.hasOwn(overrides(rule), key);
/** The path of a rule's setting in the zone document. */
export const memberOf = ({ list, id }: Rule, key: string): string => `${list}.items.${id}.settingsOverrides.${key}`;

/**
 * Alternative conditions for none of the writers after a rule to apply: either none matches, or a rule stops the list
 * before they do.
 */
export function casesAfter(rule: Rule, live: readonly Rule[], writers: readonly Rule[]): readonly (() => Clauses)[] {
  if (rule.stops) return [() => []];
  const later = live.filter(({ place }) => place > rule.place);
  const ending = later.filter((each) => each.stops && !writers.includes(each));
  const before = ({ place }: Rule): Clauses =>
    failsOf(writers.filter((each) => each.place > rule.place && each.place < place));
  return [
    () => failsOf(writers.filter(({ place }) => place > rule.place)),
    ...ending.map((each) => () => [...each.formula.holds, ...before(each)]),
  ];
}

/** Overrides that later rules always replace. */
export const deadOverrides = (zone: ZoneAnalysis, live: readonly Rule[]): readonly Finding[] => {
  const names = live.map((rule) => zone.nameOf(rule));
  return live.flatMap((rule, at) => {
    if (rule.stops || zone.isOver) return [];
    const keys = Object.keys(overrides(rule)).toSorted();
    const stopping = names.filter((_, place) => place < at && live[place]?.stops).join(' ');
    const later = live
      .slice(at + 1)
      .map((each, place) => `${keys.map((key) => (writes(each, key) ? 1 : 0)).join('')}${names[at + 1 + place]}`);
    const replacements = zone.once(`overrides ${names[at]} ${stopping} > ${later.join(' ')}`, () =>
      keys.map((key) => replacing(zone, live, rule, key)),
    );
    const open = replacements.findIndex((each) => each === 'undecided');
    return [
      ...replacements.flatMap((because, place) =>
        Array.isArray(because) ? [deadOverride(zone, live, rule, keys[place] ?? '', because)] : [],
      ),
      ...(open < 0 ? [] : [undecided('override.dead', rule, `ever decides ${keys[open]}`)]),
    ];
  });
};

/**
 * The distances to the later rules that together always replace the value; undefined: it is effective for some request.
 */
function replacing(
  zone: ZoneAnalysis,
  live: readonly Rule[],
  rule: Rule,
  key: string,
): readonly number[] | 'undecided' | undefined {
  const later = live.filter((each) => each.place > rule.place && writes(each, key));
  if (later.length === 0) return undefined;
  const here = reachedIn(live, rule);
  const staysAfter = (writers: readonly Rule[]) =>
    casesAfter(rule, live, writers).map((each) => () => zone.some([...here, ...each()], rule.list));
  const isDead = (writers: readonly Rule[]): boolean =>
    !zone.isOver && staysAfter(writers).every((answer) => answer() === 'none');
  const answers = staysAfter(later).map((answer) => (zone.isOver ? 'undecided' : answer()));
  if (answers.some((answer) => typeof answer !== 'string')) return undefined;
  if (answers.includes('undecided') || typeof zone.some(here, rule.list) === 'string') return 'undecided';
  const at = live.indexOf(rule);
  return smallest(later, isDead).map((each) => live.indexOf(each) - at);
}

function deadOverride(
  zone: ZoneAnalysis,
  live: readonly Rule[],
  rule: Rule,
  key: string,
  places: readonly number[],
): Finding {
  const at = live.indexOf(rule);
  const because = places.flatMap((place) => live[at + place] ?? []);
  const witness = zone.witness(
    reachedIn(live, rule),
    rule.list,
    (evaluation) => outcomeIn(evaluation, rule) === 'matched' && because.some(({ id }) => isFrom(evaluation, key, id)),
  );
  return finding({
    code: 'override.dead',
    message: `The value of ${key} in ${named(rule)} never takes effect: ${namesOf(because)} always ${because.length === 1 ? 'overrides' : 'override'} it.`,
    rules: [rule, ...because],
    members: [memberOf(rule, key)],
    because,
    witness,
  });
}

/** Contradictory settings of different rules that some requests get together. */
export function contradictions(zone: ZoneAnalysis, live: readonly Rule[]): readonly Finding[] {
  const findings = settingPairs.flatMap((pair) =>
    live.flatMap((one) =>
      live.flatMap((other) => {
        const [first, second] = pair.keys;
        if (zone.isOver || one === other || !writes(one, first) || !writes(other, second)) return [];
        if (!contradicts(pair, overrides(one)[first], overrides(other)[second])) return [];
        return contradiction(zone, live, { rule: one, key: first }, { rule: other, key: second });
      }),
    ),
  );
  const open = new Set<string>();
  // At most one undecided finding per rule.
  return findings.filter(({ id, verdict }) => verdict === 'proven' || (!open.has(id) && open.add(id).size > 0));
}

interface SettingWrite {
  readonly rule: Rule;
  readonly key: string;
}

function contradiction(
  zone: ZoneAnalysis,
  live: readonly Rule[],
  one: SettingWrite,
  other: SettingWrite,
): readonly Finding[] {
  const [earlier, later] = one.rule.place < other.rule.place ? [one, other] : [other, one];
  if (earlier.rule.stops || writes(later.rule, earlier.key)) return [];
  const replacing = live.filter(
    (each) =>
      (each.place > earlier.rule.place && each.place < later.rule.place && writes(each, earlier.key)) ||
      (each.place > later.rule.place && (writes(each, earlier.key) || writes(each, later.key))),
  );
  const between = failsOf(replacing.filter(({ place }) => place < later.rule.place));
  const both = [...earlier.rule.formula.holds, ...reachedIn(live, later.rule), ...between];
  const cases = casesAfter(later.rule, live, replacing).map((each) => () => [...both, ...each()]);
  const answers = cases.map((each) => (zone.isOver ? 'undecided' : zone.some(each(), later.rule.list)));
  if (answers.every((answer) => answer === 'none')) return [];
  const writers = [later, earlier];
  for (const each of cases) {
    if (zone.isOver) break;
    const witness = zone.witness(each(), later.rule.list, (evaluation) =>
      writers.every(({ rule, key }) => isFrom(evaluation, key, rule.id)),
    );
    if (witness === undefined) continue;
    return [
      finding({
        code: 'settings.contradiction',
        message: `${later.key} of ${named(later.rule)} and ${earlier.key} of ${named(earlier.rule)} contradict each other, and some requests get both.`,
        rules: writers.map(({ rule }) => rule),
        members: writers.map(({ rule, key }) => memberOf(rule, key)),
        witness,
      }),
    ];
  }
  return [undecided('settings.contradiction', later.rule, 'contradicts an earlier one')];
}

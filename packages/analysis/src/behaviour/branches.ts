import type { SettingKey, SkipTarget } from '@zonewright/engine';
import type { AnalysedRule } from '../findings/analysed-rules.ts';
import type { Clauses } from '../solver/clauses.ts';
import { type Model, satisfies } from '../solver/model.ts';
import { type Literal, opposite, type Predicates } from '../solver/predicates.ts';
import type { View, Writer } from './side.ts';

/**
 * Additional conditions on a request: as the client sent it, and as the configuration rules of either configuration see
 * it.
 */
export interface SideConditions {
  readonly client?: Clauses;
  readonly before?: Clauses;
  readonly after?: Clauses;
}

/** One more condition, and its negation. */
export interface Branch {
  readonly at: keyof SideConditions;
  readonly clauses: Clauses;
  readonly otherwise: Clauses;
}

/**
 * Alternative conditions for continuing the search after a request that does not show the difference. Together they
 * cover every request that does.
 */
export type Branches = readonly Branch[];

const matching =
  (at: keyof SideConditions) =>
  ({ formula: { holds, fails } }: AnalysedRule): Branch => ({ at, clauses: holds, otherwise: fails });
const notMatching =
  (at: keyof SideConditions) =>
  ({ formula: { holds, fails } }: AnalysedRule): Branch => ({ at, clauses: fails, otherwise: holds });

/** The settings that decide how a request is answered. */
export const decidingKeys = [
  'enabled',
  'underAttack',
  'basicAuth',
  'customPagesMaintenanceActive',
  'defaultBackend',
] as const satisfies readonly SettingKey[];

/** The request has credentials for basic authentication. */
export const credentials = (predicates: Predicates): Literal =>
  predicates.ofLeaf({ field: 'header', operator: 'matches_ci', target: 'authorization', value: '^basic +[^ ]' });

/** Ways to avoid the access rule that ended the request; undefined if none did. */
export function branchesPast(view: View): Branches | undefined {
  const { terminalRule } = view;
  if (terminalRule === undefined) return undefined;
  const stopping = view.side.rules.accessRules.filter(
    (rule) => rule.stops && rule.place < terminalRule.place && !view.side.terminalRules.includes(rule),
  );
  return [notMatching('client')(terminalRule), ...stopping.map(matching('client'))];
}

/** Ways to match a different set of these rules. */
export const branchesToOthers = (rules: readonly AnalysedRule[], model: Model): Branches =>
  rules.map((rule) => (satisfies(model, rule.formula.holds) ? notMatching : matching)('client')(rule));

/** Ways to avoid a redirect. */
export function branchesPastRedirect(view: View, redirect: AnalysedRule): Branches {
  const earlier = view.side.rules.rewriteRules.filter(({ place }) => place < redirect.place);
  return [notMatching('client')(redirect), ...earlier.map(matching('client'))];
}

/** Ways to a different writer of a setting. */
export function branchesFrom(view: View, key: SettingKey, at: 'before' | 'after'): Branches {
  const rules = view.side.rules.configurationRules;
  const writer = view.writer(key);
  const earlier = writer === undefined ? [] : rules.filter(({ stops, place }) => stops && place < writer.place);
  const later = view.side.writers(key).filter(({ place }) => writer === undefined || place > writer.place);
  return [
    ...(writer === undefined ? [] : [notMatching(at)(writer)]),
    ...earlier.map(matching(at)),
    ...branchesTo(later, rules, view, at),
  ];
}

/** Ways to one of some rules of a list; those after the rule that ended it need that rule not to match. */
function branchesTo(
  wanted: readonly AnalysedRule[],
  list: readonly AnalysedRule[],
  view: View,
  at: keyof SideConditions,
): Branches {
  const ending = list.find((rule) => rule.stops && view.matched(rule));
  const isAfterEnd = (rule: AnalysedRule): boolean => ending !== undefined && rule.place > ending.place;
  return [
    ...wanted.filter((rule) => !isAfterEnd(rule)).map(matching(at)),
    ...(ending !== undefined && wanted.some(isAfterEnd) ? [notMatching(at)(ending)] : []),
  ];
}

/** Ways from a later writer of a setting to an earlier one that matches; undefined if it is not later. */
export function branchesBackTo(
  view: View,
  key: SettingKey,
  writer: Writer,
  at: 'before' | 'after',
): Branches | undefined {
  const actual = view.writer(key);
  const from = writer?.place ?? -1;
  if (actual === undefined || actual.place <= from) return undefined;
  const between = view.side.rules.configurationRules.filter(
    ({ stops, place }) => stops && place > from && place < actual.place,
  );
  return [notMatching(at)(actual), ...between.map(matching(at))];
}

/** Ways to change whether the request skips one of the checks. */
export function branchesToSkip(view: View, target: SkipTarget): Branches {
  const { accessRules } = view.side.rules;
  const skipping = view.side.skipRules.filter(({ content }) => content.skipTargets.includes(target));
  const stops = (until: number) => accessRules.filter((rule) => rule.stops && rule.place < until);
  const skipper = skipping.find((rule) => view.matched(rule));
  if (skipper !== undefined) {
    return [notMatching('client')(skipper), ...stops(skipper.place).map(matching('client'))];
  }
  return branchesTo(skipping, accessRules, view, 'client');
}

function toCredentials(predicates: Predicates, areGiven: boolean): Branch {
  const given = credentials(predicates);
  const [wanted, other] = areGiven ? [given, opposite(given)] : [opposite(given), given];
  return { at: 'client', clauses: [[wanted]], otherwise: [[other]] };
}

/** Ways to a different answer if neither an access rule nor a redirect answers. */
export function branchesToAnswer(view: View, predicates: Predicates, at: 'before' | 'after'): Branches {
  const phase = view.evaluation.phases?.find((each) => each.phase === 'basicAuth');
  return [
    ...decidingKeys.flatMap((key) => branchesFrom(view, key, at)),
    ...branchesToSkip(view, 'underAttack'),
    ...(phase === undefined ? [] : [toCredentials(predicates, phase.credentials !== 'given')]),
  ];
}

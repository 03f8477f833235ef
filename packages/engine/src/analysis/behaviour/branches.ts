import type { SkipTarget } from '../../configuration/configuration.ts';
import type { SettingKey } from '../../settings/setting-table.ts';
import type { AnalysedRule } from '../findings/analysed-rules.ts';
import type { Clauses } from '../solver/clauses.ts';
import { type Model, satisfies } from '../solver/model.ts';
import type { Literal, Predicates } from '../solver/predicates.ts';
import type { View, Writer } from './side.ts';

/**
 * More that is asked of a request: of the request as the client sent it, and as the configuration rules of the one and
 * of the other configuration see it.
 */
export interface Part {
  readonly client?: Clauses;
  readonly before?: Clauses;
  readonly after?: Clauses;
}

/** Ways on from a request that does not show what it is to show: together they leave out no request that does. */
export type Ways = readonly Part[];

const toConfiguration = (clauses: readonly Clauses[], at: 'before' | 'after'): Ways =>
  clauses.map((each) => ({ [at]: each }));
const toClient = (clauses: readonly Clauses[]): Ways => clauses.map((client) => ({ client }));

/** The settings that decide how a request is answered. */
export const decidingKeys = [
  'enabled',
  'underAttack',
  'basicAuth',
  'customPagesMaintenanceActive',
  'defaultBackend',
] as const satisfies readonly SettingKey[];

/** That the request has credentials for basic authentication. */
export const credentials = (predicates: Predicates): Literal =>
  predicates.ofLeaf({ field: 'header', operator: 'matches_ci', target: 'authorization', value: '^basic +[^ ]' });

/** To pass access rules that have ended the request. */
export function waysPast(view: View, ender: AnalysedRule): Ways {
  const stopping = view.side.rules.accessRules.filter(
    (rule) => rule.stops && rule.place < ender.place && !view.side.enders.includes(rule),
  );
  return toClient([ender.formula.fails, ...stopping.map(({ formula }) => formula.holds)]);
}

/** To another set of these rules that match. */
export const waysToOthers = (rules: readonly AnalysedRule[], model: Model): Ways => {
  const asNow = rules.map(({ formula: { holds, fails } }) => (satisfies(model, holds) ? holds : fails));
  return rules.map(({ formula: { holds, fails } }, at) => ({
    client: [...asNow.slice(0, at).flat(), ...(asNow[at] === holds ? fails : holds)],
  }));
};

/** To where the request is not redirected. */
export function waysPastRedirect(view: View, redirect: AnalysedRule): Ways {
  const earlier = view.side.rules.rewriteRules.filter(({ place }) => place < redirect.place);
  return toClient([redirect.formula.fails, ...earlier.map(({ formula }) => formula.holds)]);
}

/** To another writer of a setting. */
export function waysFrom(view: View, key: SettingKey, at: 'before' | 'after'): Ways {
  const rules = view.side.rules.configurationRules;
  const writer = view.writer(key);
  const ending = rules.find((rule) => rule.stops && view.outcome('configurationRules', rule) === 'matched');
  const earlier = writer === undefined ? [] : rules.filter(({ stops, place }) => stops && place < writer.place);
  const later = view.side.writers(key).filter(({ place }) => writer === undefined || place > writer.place);
  const isAfterEnd = (rule: AnalysedRule): boolean => ending !== undefined && rule.place > ending.place;
  return toConfiguration(
    [
      ...(writer === undefined ? [] : [writer.formula.fails]),
      ...[...earlier, ...later.filter((rule) => !isAfterEnd(rule))].map(({ formula }) => formula.holds),
      ...(ending !== undefined && later.some(isAfterEnd) ? [ending.formula.fails] : []),
    ],
    at,
  );
}

/** From a later writer of a setting to an earlier one that matches. */
export function waysBackTo(view: View, key: SettingKey, writer: Writer, at: 'before' | 'after'): Ways {
  const actual = view.writer(key);
  if (actual === undefined) return [];
  const from = writer?.place ?? -1;
  const between = view.side.rules.configurationRules.filter(
    ({ stops, place }) => stops && place > from && place < actual.place,
  );
  return toConfiguration([actual.formula.fails, ...between.map(({ formula }) => formula.holds)], at);
}

/** To be spared, or not to be spared any more, one of the checks. */
export function waysToSpare(view: View, target: SkipTarget): Ways {
  const { accessRules } = view.side.rules;
  const sparing = view.side.sparing.filter(({ content }) => content.skipTargets.includes(target));
  const stops = (until: number) => accessRules.filter((rule) => rule.stops && rule.place < until);
  const spared = sparing.find((rule) => view.outcome('accessRules', rule) === 'matched');
  if (spared !== undefined) {
    return toClient([spared.formula.fails, ...stops(spared.place).map(({ formula }) => formula.holds)]);
  }
  const ending = accessRules.find((rule) => rule.stops && view.outcome('accessRules', rule) === 'matched');
  const isAfterEnd = (rule: AnalysedRule): boolean => ending !== undefined && rule.place > ending.place;
  return toClient([
    ...sparing.filter((rule) => !isAfterEnd(rule)).map(({ formula }) => formula.holds),
    ...(ending !== undefined && sparing.some(isAfterEnd) ? [ending.formula.fails] : []),
  ]);
}

/** To another answer, where no access rule or redirect answers. */
export function waysToAnswer(view: View, predicates: Predicates, at: 'before' | 'after'): Ways {
  const given = credentials(predicates);
  const phase = view.evaluation.phases?.find((each) => each.phase === 'basicAuth');
  const isGiven = phase?.credentials === 'given';
  return [
    ...decidingKeys.flatMap((key) => waysFrom(view, key, at)),
    ...waysToSpare(view, 'underAttack'),
    ...(phase === undefined ? [] : [{ client: [[{ ...given, positive: !isGiven }]] }]),
  ];
}

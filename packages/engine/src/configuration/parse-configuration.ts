import { failure, type Outcome, success } from '../outcome.ts';
import {
  isSettingKey,
  type Settings,
  type SomeSettings,
  settingKeys,
  settingTable,
} from '../settings/setting-table.ts';
import {
  flag,
  type Location,
  list,
  memberOf,
  object,
  oneOf,
  orNull,
  type Problem,
  record,
  refuse,
  type Shape,
  text,
  withDefault,
} from '../shapes.ts';
import { backends } from './backends.ts';
import {
  type AccessRule,
  accessActions,
  type Configuration,
  type ConfigurationRule,
  type RedirectStatus,
  type RewriteRule,
  type RuleBase,
  redirectStatuses,
  rewriteOperators,
  type SecurityScenario,
  skipTargets,
} from './configuration.ts';
import { conditionSet, isPattern } from './parse-conditions.ts';

/** How a configuration is parsed. */
export interface ParseOptions {
  /**
   * Whether these values were parsed before without a problem: patterns and addresses, which take the most time, are read
   * only when a request needs them. Should one be unreadable after all, the evaluation is refused.
   */
  readonly isValidated?: boolean;
}

/**
 * Parses a configuration: a zone document (`zone_settings`, the four lists of rules with `order` and `items`, and
 * `basicAuthUsers`; other members are ignored) and the backends of its organization. Never throws; reports all problems
 * with paths into the document, or into the backends under `backends`. Only checks what evaluation relies on:
 * everything else was validated when it was written.
 */
export function parseConfiguration(
  document: unknown,
  backendLists: unknown,
  { isValidated = false }: ParseOptions = {},
): Outcome<Configuration, readonly Problem[]> {
  const problems: Problem[] = [];
  const location: Location = { path: '', problems, isValidated };
  const zone = object(document, location);
  const organizationBackends = backends(backendLists, memberOf(location, 'backends'));
  if (zone === undefined || organizationBackends === undefined) return failure(problems);
  const rules = <T>(member: string, shape: Shape<T>): readonly T[] =>
    withDefault(ruleList(shape), [])(zone[member], memberOf(location, member)) ?? [];
  const configuration: Configuration = {
    settings: zoneSettings(zone['zone_settings'], memberOf(location, 'zone_settings')),
    rewriteRules: rules('rewriteRules', rewriteRule),
    configurationRules: rules('configurationRules', configurationRule),
    accessRules: rules('accessRules', accessRule),
    securityScenarios: rules('securityScenarios', securityScenario),
    backends: organizationBackends,
    basicAuthUsers:
      withDefault(userNames, new Map())(zone['basicAuthUsers'], memberOf(location, 'basicAuthUsers')) ?? new Map(),
  };
  return problems.length > 0 ? failure(problems) : success(configuration);
}

function zoneSettings(value: unknown, location: Location): Settings {
  const written = someSettings(value, location) ?? {};
  return Object.fromEntries(
    settingKeys.map((key) => [key, written[key] ?? settingTable[key].default]),
    // `Object.fromEntries` loses the type of each key's value.
  ) as unknown as Settings;
}

/** Null means no value, for keys that may have none. */
const someSettings: Shape<SomeSettings> = (value, location) => {
  const given = object(value, location);
  if (given === undefined) return undefined;
  const checked = Object.entries(given).map(([name, each]) => [
    name,
    settingValue(name, each, memberOf(location, name)),
  ]);
  // Each value was checked by the shape of its key.
  return Object.fromEntries(checked.filter(([, each]) => each !== undefined)) as SomeSettings;
};

function settingValue(name: string, value: unknown, location: Location): unknown {
  // Documents are kept forever: they may contain settings that no longer exist and lack newer ones.
  if (!isSettingKey(name)) return undefined;
  if (value === null && settingTable[name].default === null) return undefined;
  return settingTable[name].shape(value, location);
}

/** The rules of a list, in order. */
const ruleList =
  <T>(rule: Shape<T>): Shape<readonly T[]> =>
  (value, location) => {
    const given = record({ order: list(text), items: object })(value, location);
    if (given === undefined) return undefined;
    const { order, items } = given;
    const isComplete = order.length === Object.keys(items).length && new Set(order).size === order.length;
    if (!isComplete || !order.every((id) => Object.hasOwn(items, id))) {
      return refuse(
        memberOf(location, 'order'),
        'list.order',
        'This list should name each rule of items exactly once.',
      );
    }
    const at = memberOf(location, 'items');
    return order.flatMap((id) => {
      const item = object(items[id], memberOf(at, id));
      const checked = item === undefined ? undefined : rule({ ...item, id }, memberOf(at, id));
      return checked === undefined ? [] : [checked];
    });
  };

const base = { id: text, name: text, enabled: withDefault(flag, true) } satisfies Record<
  keyof RuleBase,
  Shape<unknown>
>;
const requestConditions = conditionSet('request');

const redirectStatus: Shape<RedirectStatus> = (value, location) =>
  redirectStatuses.find((status) => status === value) ??
  refuse(location, 'value.choice', `This value should be one of: ${redirectStatuses.join(', ')}.`);
const defaultStatus = 302;

const rewriteMembers = record({
  ...base,
  operator: oneOf(...rewriteOperators),
  sourcePattern: text,
  target: text,
  type: withDefault(oneOf('rewrite', 'redirect'), 'rewrite'),
  statusCode: orNull(redirectStatus),
  preserveQueryString: withDefault(flag, true),
  conditions: orNull(requestConditions),
});

const rewriteRule: Shape<RewriteRule> = (value, location) => {
  const rule = rewriteMembers(value, location);
  if (rule === undefined) return undefined;
  const isRegex = rule.operator === 'regex' || rule.operator === 'regex_ci';
  const at = memberOf(location, 'sourcePattern');
  if (isRegex && !isPattern(rule.sourcePattern, at, 'rewriteRule.regex')) return undefined;
  return { ...rule, statusCode: rule.statusCode ?? defaultStatus };
};

const configurationRule: Shape<ConfigurationRule> = record({
  ...base,
  conditions: requestConditions,
  stopOnMatch: withDefault(flag, false),
  settingsOverrides: withDefault(someSettings, {}),
});

const accessRule: Shape<AccessRule> = record({
  ...base,
  conditions: requestConditions,
  action: oneOf(...accessActions),
  skipTargets: withDefault(list(oneOf(...skipTargets)), []),
  stopOnMatch: withDefault(flag, false),
});

const scenarioMembers = record({ ...base, filter: conditionSet('requestAndAnswer') });

const securityScenario: Shape<SecurityScenario> = (value, location) => {
  const scenario = scenarioMembers(value, location);
  const given = object(value, location);
  if (scenario === undefined || given === undefined) return undefined;
  const { id: _id, name: _name, description: _description, enabled: _enabled, ...written } = given;
  return { ...scenario, written };
};

/** The names of users by id. */
const userNames: Shape<ReadonlyMap<string, string>> = (value, location) => {
  const given = object(value, location);
  if (given === undefined) return undefined;
  const names = Object.entries(given).map(
    ([id, user]) => [id, record({ username: text })(user, memberOf(location, id))?.username] as const,
  );
  return new Map(names.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])));
};

import {
  type Caller,
  type ConfigurationRule,
  createRule,
  type JsonObject,
  listRules,
  RuleDraft,
  updateRule,
  type ZoneId,
} from '@zonewright/core';
import { valueOf } from './outcomes.ts';
import { aWorld, type World } from './world.ts';
import { anOrganizationWithZone } from './zones.ts';

/** Conditions that hold for one path. */
export const onPath = (value: string) => ({ logic: 'and', conditions: [{ field: 'path', operator: 'equals', value }] });

/** A rule that keeps all rules, with a name and conditions of its own; members can be replaced. */
export const aRuleDraft = (name: string, changes: object = {}): RuleDraft =>
  RuleDraft.parse({ name, conditions: onPath(`/${encodeURIComponent(name)}`), ...changes });

export const aRule = async (
  world: World,
  caller: Caller,
  zone: ZoneId,
  name: string,
  changes: object = {},
): Promise<ConfigurationRule> => (await valueOf(createRule(world)(caller, zone, aRuleDraft(name, changes)))).rule;

/** Rules with these names, in this order. */
export async function someRules(
  world: World,
  caller: Caller,
  zone: ZoneId,
  names: readonly string[],
): Promise<readonly ConfigurationRule[]> {
  const rules: ConfigurationRule[] = [];
  for (const name of names) rules.push(await aRule(world, caller, zone, name));
  return rules;
}

/** All rules of a zone in evaluation order. */
export const rulesOf = async (world: World, caller: Caller, zone: ZoneId): Promise<readonly ConfigurationRule[]> =>
  (await valueOf(listRules(world)(caller, zone, { names: [], page: 1, itemsPerPage: 100 }))).items;

/** `position name` of every rule of a zone in evaluation order. */
export const orderOf = async (world: World, caller: Caller, zone: ZoneId): Promise<readonly string[]> =>
  (await rulesOf(world, caller, zone)).map(({ order, name }) => `${order} ${name}`);

/** A zone with one rule called `first`, and two ways to change it: `patch` takes any version. */
export const aWorldWithRule = async (rule: object = {}, zone_settings: object = {}) => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world, { zone_settings });
  const { owner, zone } = arranged;
  const first = await aRule(world, owner, zone.id, 'first', rule);
  const update = updateRule(world);
  const patch = (body: JsonObject, id = first.id, caller: Caller = owner) =>
    update(caller, zone.id, id, body, undefined);
  return { world, ...arranged, rule: first, update, patch };
};

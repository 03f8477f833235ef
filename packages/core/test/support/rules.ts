import {
  type Caller,
  type ConfigurationRule,
  type JsonObject,
  parseRuleDraft,
  type Rule,
  type RuleDraft,
  type RuleId,
  type RuleKind,
  type RuleList,
  type ZoneId,
} from '@zonewright/core';
import { createRule } from '../../src/zones/rules/create-rule.ts';
import { updateRule } from '../../src/zones/rules/update-rule.ts';
import { valueOf } from './outcomes.ts';
import { aWorld, type World } from './world.ts';
import { anOrganizationWithZone } from './zones.ts';

/** Conditions that match a single path. */
export const onPath = (value: string) => ({ logic: 'and', conditions: [{ field: 'path', operator: 'equals', value }] });

/** The rules of one kind in a zone. */
export const listOf = <K extends RuleKind>({ id }: { readonly id: ZoneId }, kind: K): RuleList<K> => ({
  zone: id,
  kind,
});

/** The configuration rules of a zone. */
export const configurationRulesOf = (zone: { readonly id: ZoneId }) => listOf(zone, 'configurationRule');

/** A rule of any kind as a client writes it; throws if it is invalid. */
export const draftOf = <K extends RuleKind>(kind: K, body: object): RuleDraft<K> =>
  parseRuleDraft(kind, body as JsonObject).match(
    (draft) => draft,
    (error) => {
      throw new Error(`The rule breaks constraints: ${JSON.stringify(error)}`);
    },
  );

/** A valid configuration rule with a unique name and conditions; members can be overridden. */
export const aRuleDraft = (name: string, changes: object = {}): RuleDraft<'configurationRule'> =>
  draftOf('configurationRule', { name, conditions: onPath(`/${encodeURIComponent(name)}`), ...changes });

export const aRule = async (
  world: World,
  caller: Caller,
  zone: ZoneId,
  name: string,
  changes: object = {},
): Promise<ConfigurationRule> =>
  (await valueOf(createRule(world)(caller, configurationRulesOf({ id: zone }), aRuleDraft(name, changes)))).rule;

/** Configuration rules with these names, in this order. */
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

/** All rules of a list in evaluation order. */
export const rulesIn = <K extends RuleKind>({ unitOfWork }: World, list: RuleList<K>): Promise<readonly Rule<K>[]> =>
  valueOf(unitOfWork.view(({ zones }) => zones.state(list.zone)).map(({ rules }) => rules[list.kind]));

/** `position name` of every configuration rule of a zone in evaluation order. */
export const orderOf = (world: World, zone: ZoneId): Promise<readonly string[]> =>
  namesIn(world, configurationRulesOf({ id: zone }));

/** `position name` of every rule of a list in evaluation order. */
export const namesIn = async (world: World, list: RuleList): Promise<readonly string[]> =>
  (await rulesIn(world, list)).map(positionAndName);

export const positionAndName = ({ order, content }: Rule): string => `${order} ${content.value.name}`;

/** A zone with one configuration rule called `first`, and two ways to change it: `patch` accepts any version. */
export const aWorldWithRule = async (rule: object = {}, zone_settings: object = {}) => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world, { zone_settings });
  const { owner, zone } = arranged;
  const list = configurationRulesOf(zone);
  const first = await aRule(world, owner, zone.id, 'first', rule);
  const update = updateRule(world);
  const patch = (body: JsonObject, id = first.id, caller: Caller = owner) => update(caller, list, id, body, undefined);
  return { world, ...arranged, list, rule: first, update, patch };
};

/** A zone with an empty list of one kind, and two ways to write to it: `write` creates, `patch` accepts any version. */
export const aWorldWithList = async <K extends RuleKind>(kind: K, zone_settings: object = {}) => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world, { zone_settings });
  const list = listOf(arranged.zone, kind);
  const write = (body: object, into: RuleList<K> = list) =>
    parseRuleDraft(kind, body as JsonObject).asyncAndThen((draft) => createRule(world)(arranged.owner, into, draft));
  const patch = (id: RuleId, body: JsonObject) => updateRule(world)(arranged.owner, list, id, body, undefined);
  return { world, ...arranged, list, write, patch };
};

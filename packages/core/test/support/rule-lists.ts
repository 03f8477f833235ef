import { type Json, type JsonObject, jsonOf, parseWantedRules, type Rule } from '@zonewright/core';
import { replaceRules } from '../../src/zones/rules/replace-rules.ts';
import { configurationRulesOf, onPath, someRules } from './rules.ts';
import { aWorld } from './world.ts';
import { anOrganizationWithZone } from './zones.ts';

/** A configuration rule as a client writes it. */
export const entry = (name: string, changes: object = {}): JsonObject => ({
  name,
  conditions: onPath(`/${name}`),
  ...changes,
});

/** A zone with the configuration rules a, b and c, and ways to replace them. */
export const aWorldWithRules = async () => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  const { owner, zone } = arranged;
  const [a, b, c] = await someRules(world, owner, zone.id, ['a', 'b', 'c']);
  const list = configurationRulesOf(zone);
  const replace = replaceRules(world);
  /** Replaces the list as a client does, by default at any revision. */
  const replaced = (entries: readonly Json[], expected?: readonly string[]) =>
    parseWantedRules('configurationRule', entries).asyncAndThen((wanted) => replace(owner, list, wanted, expected));
  /** An existing rule, as it would be written back. */
  const kept = ({ id, content }: Pick<Rule, 'id' | 'content'>, changes: object = {}) =>
    ({ id, ...jsonOf(content), ...changes }) as JsonObject;
  return { world, ...arranged, a: a!, b: b!, c: c!, list, replace, replaced, kept };
};

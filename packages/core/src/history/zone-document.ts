import type { Rule, RulesOfZone } from '../rule-kinds/rule.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import { type JsonDocument, jsonDocument } from '../shared/json-document.ts';
import { type JsonObject, jsonOf, mergePatchBetween } from '../shared/merge-patch.ts';
import type { PatchPair } from './revision.ts';

/**
 * A zone and everything in it as plain JSON, in a form that keeps patches small: items by id, with the order of each
 * list beside them. Secrets (ban token, passwords) are not included.
 */
export type ZoneDocument = JsonObject;

/** The part of a zone that history keeps. */
interface RememberedZone {
  readonly name: string;
  readonly tag: string;
  readonly settings: JsonDocument<ZoneSettings>;
}

/** The part of a basic-auth user that history keeps. */
interface RememberedUser {
  readonly id: string;
  readonly username: string;
  readonly comment: string;
}

/** The name, tag and settings of a zone. */
export const zoneMembers = ({ name, tag, settings }: RememberedZone): JsonObject => ({
  name,
  tag,
  zone_settings: jsonOf(settings),
});

/** The contents of rules by their ids. */
export const itemsOf = (rules: readonly Pick<Rule, 'id' | 'content'>[]): JsonObject =>
  Object.fromEntries(rules.map(({ id, content }) => [id, jsonOf(content)]));

/** A list of rules: their order and their contents. */
export const listMember = (rules: readonly Pick<Rule, 'id' | 'content'>[]): JsonObject => ({
  order: rules.map(({ id }) => id),
  items: itemsOf(rules),
});

/** Basic-auth users by their ids. */
export const usersMember = (users: readonly RememberedUser[]): JsonObject =>
  Object.fromEntries(users.map(({ id, username, comment }) => [id, { username, comment }]));

/** The document of a zone with its rules and basic-auth users. */
export const documentOf = (
  { zone, rules }: { readonly zone: RememberedZone; readonly rules: RulesOfZone },
  users: readonly RememberedUser[],
): ZoneDocument => ({
  ...zoneMembers(zone),
  ...Object.fromEntries(ruleKindNames.map((kind) => [ruleListNames[kind], listMember(rules[kind])])),
  basicAuthUsers: usersMember(users),
});

/** The pair of patches between two documents. */
export const patchPair = (before: JsonObject, after: JsonObject): PatchPair => ({
  patch: jsonDocument(mergePatchBetween(before, after)),
  inverse: jsonDocument(mergePatchBetween(after, before)),
});

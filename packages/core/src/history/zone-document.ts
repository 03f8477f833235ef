import type { Rule, RulesOfZone } from '../rule-kinds/rule.ts';
import { ruleKindNames, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import { type Json, type JsonObject, jsonOf } from '../shared/merge-patch.ts';

/**
 * A zone and everything inside it as plain JSON, in a form that small changes change little: nested items by id, with
 * the order of each list beside them. Secrets (ban token, passwords) are not part of it.
 */
export type ZoneDocument = JsonObject;

/** What of a zone itself is remembered. */
interface RememberedZone {
  readonly name: string;
  readonly tag: string;
  readonly settings: JsonDocument<ZoneSettings>;
}

/** What of a basic-auth user is remembered. */
interface RememberedUser {
  readonly username: string;
  readonly comment: string;
}

/** The zone's own members. */
export const zoneMembers = ({ name, tag, settings }: RememberedZone): JsonObject => ({
  name,
  tag,
  zone_settings: jsonOf(settings),
});

/** A list of rules. */
export const listMember = (rules: readonly Pick<Rule, 'id' | 'content'>[]): JsonObject => ({
  order: rules.map(({ id }) => id),
  items: Object.fromEntries(rules.map(({ id, content }) => [id, jsonOf(content)])),
});

/** The member of a basic-auth user. */
export const basicAuthUserMember = ({ username, comment }: RememberedUser): Json => ({
  username,
  comment,
});

/** The whole document of a zone and of the people who may pass its basic authentication. */
export const documentOf = (
  { zone, rules }: { readonly zone: RememberedZone; readonly rules: RulesOfZone },
  users: readonly (RememberedUser & { readonly id: string })[],
): ZoneDocument => ({
  ...zoneMembers(zone),
  ...Object.fromEntries(ruleKindNames.map((kind) => [ruleKinds[kind].member, listMember(rules[kind])])),
  basicAuthUsers: Object.fromEntries(users.map((user) => [user.id, basicAuthUserMember(user)])),
});

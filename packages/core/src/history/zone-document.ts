import type { BasicAuthUser } from '../basic-auth-users/basic-auth-user.ts';
import type { Rule } from '../rules/rule.ts';
import { ruleKindNames, ruleKinds } from '../rules/rule-kinds.ts';
import { type Json, type JsonObject, jsonOf } from '../shared/merge-patch.ts';
import type { ZoneWithContents } from '../zones/ports.ts';
import type { Zone } from '../zones/zone.ts';

/**
 * A zone and everything inside it as plain JSON, in a form that small changes change little: nested items by id, with
 * the order of each list beside them. Secrets (ban token, passwords) are not part of it.
 */
export type ZoneDocument = JsonObject;

/** The zone's own members. */
export const zoneMembers = ({ name, tag, settings }: Pick<Zone, 'name' | 'tag' | 'settings'>): JsonObject => ({
  name,
  tag,
  zone_settings: jsonOf(settings),
});

/** A list of rules. */
export const listMember = (rules: readonly Pick<Rule, 'id' | 'content'>[]): JsonObject => ({
  order: rules.map(({ id }) => id),
  items: Object.fromEntries(rules.map(({ id, content }) => [id, jsonOf(content)])),
});

/** What of a basic-auth user may be remembered. */
export const basicAuthUserMember = ({ username, comment }: Pick<BasicAuthUser, 'username' | 'comment'>): Json => ({
  username,
  comment,
});

/** The whole document of a zone and of the people who may pass its basic authentication. */
export const documentOf = ({ zone, rules }: ZoneWithContents, users: readonly BasicAuthUser[]): ZoneDocument => ({
  ...zoneMembers(zone),
  ...Object.fromEntries(ruleKindNames.map((kind) => [ruleKinds[kind].member, listMember(rules[kind])])),
  basicAuthUsers: Object.fromEntries(users.map((user) => [user.id, basicAuthUserMember(user)])),
});

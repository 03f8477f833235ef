import {
  type JsonDocument,
  type JsonObject,
  jsonDocument,
  jsonOf,
  mergePatchBetween,
} from '../../kernel/shared/json.ts';
import type { Rule, RulesOfZone } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { type RuleListName, ruleListNames } from '../rule-kinds/rule-lists.ts';
import type { RuleOrder } from '../rule-kinds/rule-order.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import type { PatchPair } from './revision.ts';

// Aliases instead of interfaces: they are plain JSON to the compiler, too.

/** The rules of a list: their contents by id, and their order. */
export type RuleListDocument = {
  readonly order: RuleOrder;
  readonly items: Readonly<Record<string, JsonObject>>;
};

/** Basic-auth users by their ids. */
export type UsersDocument = Readonly<Record<string, { readonly username: string; readonly comment: string }>>;

/**
 * A zone and everything in it as plain JSON, in a form that keeps patches small: items by id, with the order of each
 * list beside them. Secrets (ban token, passwords) are not included. Old documents lack what came later, and settings
 * and rules in them may no longer be valid.
 */
export type ZoneDocument = {
  readonly name?: string;
  readonly tag?: string;
  readonly hostnames?: readonly string[];
  readonly zone_settings?: JsonObject;
  readonly basicAuthUsers?: UsersDocument;
} & { readonly [List in RuleListName]?: Partial<RuleListDocument> };

/** A list of a document. */
export const listIn = (document: ZoneDocument, kind: RuleKind): RuleListDocument => ({
  order: [],
  items: {},
  ...document[ruleListNames[kind]],
});

/** The lists of a document, in the order in which a zone presents them. */
export const listsOf = (listOf: (kind: RuleKind) => RuleListDocument): Record<RuleListName, RuleListDocument> => ({
  rewriteRules: listOf('rewriteRule'),
  configurationRules: listOf('configurationRule'),
  accessRules: listOf('accessRule'),
  securityScenarios: listOf('securityScenario'),
});

/** The part of a zone that history keeps. */
interface RememberedZone {
  readonly name: string;
  readonly tag: string;
  readonly hostnames: readonly string[];
  readonly settings: JsonDocument<ZoneSettings>;
}

/** The part of a basic-auth user that history keeps. */
interface RememberedUser {
  readonly id: string;
  readonly username: string;
  readonly comment: string;
}

/** The name, tag, host names and settings of a zone. */
export const zoneMembers = ({ name, tag, hostnames, settings }: RememberedZone) => ({
  name,
  tag,
  hostnames,
  zone_settings: jsonOf(settings),
});

/** The contents of rules by their ids. */
export const itemsOf = (rules: readonly Pick<Rule, 'id' | 'content'>[]): RuleListDocument['items'] =>
  Object.fromEntries(rules.map(({ id, content }) => [id, jsonOf(content)]));

/** A list of rules: their order and their contents. */
export const listMember = (rules: readonly Pick<Rule, 'id' | 'content'>[]): RuleListDocument => ({
  order: rules.map(({ id }) => id),
  items: itemsOf(rules),
});

/** Basic-auth users by their ids. */
export const usersMember = (users: readonly RememberedUser[]): UsersDocument =>
  Object.fromEntries(users.map(({ id, username, comment }) => [id, { username, comment }]));

/** The document of a zone with its rules and basic-auth users. */
export const documentOf = (
  { zone, rules }: { readonly zone: RememberedZone; readonly rules: RulesOfZone },
  users: readonly RememberedUser[],
): ZoneDocument => ({
  ...zoneMembers(zone),
  ...listsOf((kind) => listMember(rules[kind])),
  basicAuthUsers: usersMember(users),
});

/** A stored document as it would be written today: zones had no host names once. */
export const asWrittenToday = ({ name, tag, hostnames = [], ...contents }: ZoneDocument): ZoneDocument => ({
  ...(name === undefined ? {} : { name }),
  ...(tag === undefined ? {} : { tag }),
  hostnames,
  ...contents,
});

/** The host names, settings and rules of one document with the rest of another. */
export const restoredDocument = (
  contents: ZoneDocument,
  { name, tag, basicAuthUsers }: ZoneDocument,
): ZoneDocument => ({
  ...contents,
  ...(name === undefined ? {} : { name }),
  ...(tag === undefined ? {} : { tag }),
  ...(basicAuthUsers === undefined ? {} : { basicAuthUsers }),
});

/** The pair of patches between two documents. */
export const patchPair = (before: JsonObject, after: JsonObject): PatchPair => ({
  patch: jsonDocument(mergePatchBetween(before, after)),
  inverse: jsonDocument(mergePatchBetween(after, before)),
});

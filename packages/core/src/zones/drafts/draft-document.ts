import type { Result } from 'neverthrow';
import { isJsonObject, type JsonObject, mergePatch } from '../../kernel/shared/json.ts';
import { type InvalidInput, requireNone, violation } from '../../kernel/shared/violation.ts';
import { listIn, listsOf, type ZoneDocument } from '../history/zone-document.ts';
import { ruleKinds } from '../rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import { allSettings, overridableSettings } from '../settings/settings.ts';
import { hostNamesMember, settingsMember } from './zone-contents.ts';

/** The members of a zone document that drafts can change: those that affect requests. */
const draftMembers: readonly string[] = [
  hostNamesMember,
  settingsMember,
  ...ruleKindNames.map((kind) => ruleListNames[kind]),
];

/** The part of a document that drafts can change, limited to today's members: old revisions may have others. */
export const draftBase = (document: ZoneDocument): ZoneDocument => ({
  hostnames: document.hostnames ?? [],
  zone_settings: only(allSettings, document.zone_settings),
  ...listsOf((kind) => {
    const { order, items } = listIn(document, kind);
    const { shape } = ruleKinds[kind].schema;
    const rules = Object.entries(items).map(([id, content]) => [id, knownMembers(only(shape, content))]);
    return { order, items: Object.fromEntries(rules) };
  }),
});

const knownMembers = (rule: JsonObject): JsonObject =>
  isJsonObject(rule['settingsOverrides'])
    ? { ...rule, settingsOverrides: only(overridableSettings, rule['settingsOverrides']) }
    : rule;

/** The members with names that are known today. */
const only = (known: object, members: JsonObject = {}): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(known, name)));

/** The name of the zone, which every document has. */
export const nameIn = ({ name = '' }: ZoneDocument): string => name;

/** The base with a merge patch (RFC 7396) applied, not validated yet. Violation paths start at the patch. */
export const draftDocument = (base: ZoneDocument, patch: JsonObject): Result<JsonObject, InvalidInput> =>
  requireNone(
    Object.keys(patch)
      .filter((member) => !draftMembers.includes(member))
      .map((member) => violation(member, 'member.unknown', 'A draft cannot change this member.')),
  ).map(() => mergePatch(base, patch));

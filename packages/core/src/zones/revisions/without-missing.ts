import { type Json, jsonDocument, objectIn } from '../../kernel/shared/json.ts';
import { type Violation, violation } from '../../kernel/shared/violation.ts';
import { HostName } from '../../organizations/domains/dns-names.ts';
import { hostNamesMember, settingsMember, type ZoneContents } from '../drafts/zone-contents.ts';
import { listIn, type ZoneDocument } from '../history/zone-document.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { ruleListNames } from '../rule-kinds/rule-lists.ts';
import type { ReferenceTargets } from '../settings/references.ts';
import { allSettings, overridableSettings, SettingsOverrides, ZoneSettings } from '../settings/settings.ts';
import { type MissingPart, type MissingReferences, missingAt, missingIn } from './missing-references.ts';

/** An old state, and the facts about the current zone needed to restore it. */
export interface OldState {
  readonly document: ZoneDocument;
  /** The settings whose values replace old ones that no longer resolve. */
  readonly replacement: ZoneSettings;
  /** The name that the zone will have. */
  readonly name: string;
  /** The host names that are the zone's. */
  readonly held: readonly HostName[];
}

/** What remains of a part of an old state. */
interface Remainder<T> {
  readonly contents: T;
  readonly missing: readonly MissingPart[];
  readonly violations: readonly Violation[];
}

/** The document without host names that are no longer valid, and settings and overrides that no longer exist. */
export function knownParts(document: ZoneDocument): {
  readonly document: ZoneDocument;
  readonly missing: readonly MissingPart[];
} {
  const { hostnames = [] } = document;
  const settings = pickKnown(allSettings, settingsMember, document.zone_settings);
  const { order, items } = listIn(document, 'configurationRule');
  const rules = Object.entries(items).map(([id, content]) => {
    const path = `configurationRules.items.${id}.settingsOverrides`;
    const overrides = pickKnown(overridableSettings, path, content['settingsOverrides']);
    return { id, content: { ...content, settingsOverrides: overrides.known }, missing: overrides.missing };
  });
  const known = Object.fromEntries(rules.map(({ id, content }) => [id, content]));
  return {
    document: {
      ...document,
      hostnames: hostnames.filter(isHostName),
      zone_settings: settings.known,
      configurationRules: { order, items: known },
    },
    missing: [
      ...missingNames(
        document,
        hostnames.filter((name) => !isHostName(name)),
      ),
      ...settings.missing,
      ...rules.flatMap(({ missing }) => missing),
    ],
  };
}

const isHostName = (name: string): boolean => HostName.safeParse(name).success;

/** The host names of an old state that the zone cannot have. */
export const missingNames = ({ hostnames = [] }: ZoneDocument, refused: readonly string[]): readonly MissingPart[] => {
  const left = new Set(refused);
  return hostnames.flatMap((name, index) =>
    left.has(name)
      ? [{ path: `${hostNamesMember}[${index}]`, kind: 'hostname', name, effect: 'leftOut' } as const]
      : [],
  );
};

function pickKnown(known: object, path: string, settings: Json | undefined) {
  const entries = Object.entries(objectIn(settings));
  return {
    known: Object.fromEntries(entries.filter(([name]) => Object.hasOwn(known, name))),
    missing: entries.flatMap(([name]): readonly MissingPart[] =>
      Object.hasOwn(known, name) ? [] : [{ path: `${path}.${name}`, kind: 'setting', name, effect: 'leftOut' }],
    ),
  };
}

/** The contents without references that no longer resolve. */
export function withoutMissing(
  { settings, lists, ...others }: ZoneContents,
  old: OldState,
  referents: ReferenceTargets,
): Remainder<ZoneContents> {
  const zone = settingsWithoutMissing(settings.value, old, referents);
  const rules = lists.map(({ kind, rules: those }) => ({
    kind,
    remainders: those.map((rule) => ruleWithoutMissing(kind, rule, old.document, referents)),
  }));
  const remainders = [zone, ...rules.flatMap((list) => list.remainders)];
  return {
    contents: {
      ...others,
      settings: zone.missing.length === 0 ? settings : jsonDocument(zone.contents),
      lists: rules.map(({ kind, remainders: those }) => ({ kind, rules: those.map(({ contents }) => contents) })),
    },
    missing: remainders.flatMap(({ missing }) => missing),
    violations: remainders.flatMap(({ violations }) => violations),
  };
}

/** Replaces settings that no longer resolve with their current values. */
function settingsWithoutMissing(
  settings: ZoneSettings,
  old: OldState,
  referents: ReferenceTargets,
): Remainder<ZoneSettings> {
  const missingReferences = missingIn(settings, referents);
  const isForNobody = settings.basicAuth.enabled && referents.users.size === 0;
  const missing = missingAt(settingsMember, missingReferences, old.document, 'kept');
  const nobody: MissingPart = { path: `${settingsMember}.basicAuth.enabled`, kind: 'basicAuthUser', effect: 'kept' };
  return {
    contents: ZoneSettings.parse({
      ...settings,
      ...(missingReferences.backend === undefined ? {} : { defaultBackend: old.replacement.defaultBackend }),
      ...(missingReferences.users.length === 0 && !isForNobody ? {} : { basicAuth: old.replacement.basicAuth }),
    }),
    missing: isForNobody && missingReferences.users.length === 0 ? [...missing, nobody] : missing,
    violations: [],
  };
}

/** A rule without overrides that no longer resolve; a violation if it would then admit every user. */
function ruleWithoutMissing(
  kind: RuleKind,
  rule: WrittenRule,
  document: ZoneDocument,
  referents: ReferenceTargets,
): Remainder<WrittenRule> {
  const content = rule.content.value;
  if (!('settingsOverrides' in content)) return { contents: rule, missing: [], violations: [] };
  const missingReferences = missingIn(content.settingsOverrides, referents);
  const place = `${ruleListNames[kind]}.items.${rule.id}`;
  const missing = missingAt(`${place}.settingsOverrides`, missingReferences, document, 'leftOut');
  if (missing.length === 0) return { contents: rule, missing, violations: [] };
  const { settingsOverrides, isForNobody } = overridesWithoutMissing(content.settingsOverrides, missingReferences);
  return {
    contents: { ...rule, content: jsonDocument({ ...content, settingsOverrides }) },
    missing,
    violations: isForNobody ? [violation(place, 'restore.basicAuth.nobody', nobodyLeft)] : [],
  };
}

/** The overrides without references that no longer resolve, and whether nobody is left who may pass. */
function overridesWithoutMissing(
  { defaultBackend, basicAuth, ...others }: SettingsOverrides,
  { backend, users }: MissingReferences,
) {
  const lost = new Set(users.map(({ id }) => id));
  const left = basicAuth?.allowedUserIds.filter((id) => !lost.has(id)) ?? [];
  const isForNobody = basicAuth?.enabled === true && lost.size > 0 && left.length === 0;
  const settingsOverrides = SettingsOverrides.parse({
    ...others,
    ...(backend === undefined ? { defaultBackend } : {}),
    // An empty list would admit every user; the caller reports that.
    ...(basicAuth === undefined || isForNobody ? {} : { basicAuth: { ...basicAuth, allowedUserIds: left } }),
  });
  return { settingsOverrides, isForNobody };
}

const nobodyLeft =
  'All basic-auth users that this rule admits have been deleted; with an empty list, it would admit every user.';

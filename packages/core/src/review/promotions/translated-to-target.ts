import { type Json, type JsonObject, objectIn } from '../../kernel/shared/json.ts';
import { BackendReference } from '../../organizations/backends/backend-reference.ts';
import { listsOf, type RuleListDocument, type ZoneDocument } from '../../zones/history/zone-document.ts';
import type { RuleKind } from '../../zones/rule-kinds/rule-kinds.ts';
import { rulesIn, type TargetRuleIds } from './document-rules.ts';
import { allowedUsers, type MappedNames } from './mapped-names.ts';

/** The terms for translating a document of the source into one for the target. */
export interface Translation {
  readonly target: ZoneDocument;
  readonly joined: TargetRuleIds;
  readonly names: MappedNames;
  /** Settings that keep the target's value. */
  readonly kept: ReadonlySet<string>;
}

/**
 * The source's settings and rules with the target's ids, users and backends, and the target's own host names and values of
 * `kept` settings.
 */
export const translatedToTarget = (source: ZoneDocument, terms: Translation): ZoneDocument => ({
  hostnames: terms.target.hostnames ?? [],
  zone_settings: settingsInTarget(source.zone_settings ?? {}, terms),
  ...listsOf((kind) => listInTarget(source, kind, terms)),
});

const settingsInTarget = (settings: JsonObject, { target, kept }: Translation): JsonObject => {
  const members = (of: JsonObject, areKept: boolean) => Object.entries(of).filter(([key]) => kept.has(key) === areKept);
  return Object.fromEntries([...members(settings, false), ...members(target.zone_settings ?? {}, true)]);
};

function listInTarget(source: ZoneDocument, kind: RuleKind, { joined, names }: Translation): RuleListDocument {
  const rules = rulesIn(source, kind).map(
    ({ name, content }) => [joined(kind, name), contentInTarget(content, names)] as const,
  );
  return { order: rules.map(([id]) => id), items: Object.fromEntries(rules) };
}

/** Only a rule's overrides have references. */
const contentInTarget = ({ settingsOverrides, ...content }: JsonObject, names: MappedNames): JsonObject =>
  settingsOverrides === undefined
    ? content
    : { ...content, settingsOverrides: overridesInTarget(objectIn(settingsOverrides), names) };

const overridesInTarget = (overrides: JsonObject, names: MappedNames): JsonObject =>
  Object.fromEntries(
    Object.entries(overrides).map(([key, value]) => {
      if (key === 'defaultBackend') return [key, backendInTarget(value, names)];
      return [key, key === 'basicAuth' ? usersInTarget(objectIn(value), names) : value];
    }),
  );

function backendInTarget(value: Json, { backends }: MappedNames): Json {
  const mapped = backends.get(BackendReference.parse(value).id);
  return mapped === undefined ? value : { ...mapped };
}

/** Two users of the source may map to the same one in the target. */
const usersInTarget = (basicAuth: JsonObject, { users }: MappedNames): JsonObject => ({
  ...basicAuth,
  allowedUserIds: [...new Set(allowedUsers(basicAuth).map((id) => users.get(id) ?? id))],
});

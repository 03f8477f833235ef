import { okAsync, type Result, type ResultAsync } from 'neverthrow';
import { z } from 'zod';
import { BackendId, type BackendReference } from '../backends/backend-reference.ts';
import { claimedIn, takenIds } from '../drafts/draft-check.ts';
import {
  contentsViolations,
  itemsIn,
  namedIn,
  objectIn,
  settingsMember,
  storedContents,
  type ZoneContents,
} from '../drafts/zone-contents.ts';
import type { ZoneMoment } from '../history/backend-revision.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { Repositories } from '../repositories.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { ruleListNames } from '../rule-kinds/rule-lists.ts';
import { ruleCapacityIn } from '../rules/rule-write.ts';
import { isUsable, type ReferenceTargets, type SettingsReferences } from '../settings/references.ts';
import { allSettings, overridableSettings, SettingsOverrides, ZoneSettings } from '../settings/settings.ts';
import type { BasicAuthUserId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import type { Json, JsonObject } from '../shared/merge-patch.ts';
import { type InvalidInput, requireNone, type Violation, violation } from '../shared/violation.ts';
import { type Decision, decideWithReferences } from '../zone-changes/decision.ts';
import type { ZoneChange } from '../zone-changes/zone-command.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { Zone } from '../zones/zone.ts';

/** What to do about an old state whose references no longer resolve: refuse it, or restore the rest. */
export const MissingMode = z.enum(['refuse', 'skip']);
export type MissingMode = z.infer<typeof MissingMode>;

/** A part of an old state that cannot be restored. */
export interface MissingPart {
  /** Its path in the old state. */
  readonly path: string;
  readonly kind: 'backend' | 'basicAuthUser' | 'setting';
  readonly id?: string;
  readonly name?: string;
  /** Whether the setting keeps its current value or the reference is left out. */
  readonly effect: 'kept' | 'leftOut';
}

/** The restorable part of an old state, and what is missing. */
export interface RestorableState {
  readonly contents: ZoneContents;
  readonly missing: readonly MissingPart[];
}

/** The change that restores a state, with what it leaves out. */
export interface Restoration extends ZoneChange {
  readonly missing: readonly MissingPart[];
}

/** An old state, and the facts about the current zone needed to restore it. */
export interface OldState {
  readonly document: ZoneDocument;
  /** The settings whose values replace old ones that no longer resolve. */
  readonly present: ZoneSettings;
  /** The name that the zone will have. */
  readonly name: string;
}

/**
 * The settings and rules of an old state. References that no longer resolve (backends, basic-auth users, settings) are
 * violations at their path, or are skipped. Anything else that is no longer valid is a violation either way. All
 * violations are reported at once.
 */
export const restorable = (
  basis: StateWithLimits,
  old: OldState,
  mode: MissingMode,
): Result<Decision<RestorableState, InvalidInput>, InvalidInput> => {
  const isSkipped = mode === 'skip';
  const { document, missing } = isSkipped ? knownSettings(old.document) : { document: old.document, missing: [] };
  return storedContents(document).andThen((contents) => {
    const claims = claimedIn(contents, basis.state);
    const named = isSkipped ? [old.present, ...namedIn(contents)] : namedIn(contents);
    return decideWithReferences(basis.state, { settings: named, rules: claims }, (referents, resolved) => {
      const rest = isSkipped ? present(contents, old, referents) : { contents, missing: [], violations: [] };
      return requireNone([
        ...takenIds(claims, basis.state, resolved),
        ...rest.violations,
        ...contentsViolations(rest.contents, { name: old.name, ...ruleCapacityIn(basis) }, referents),
      ]).map(() => ({ contents: rest.contents, missing: [...missing, ...rest.missing] }));
    });
  });
};

/** What remains of a part of an old state. */
interface Rest<T> {
  readonly contents: T;
  readonly missing: readonly MissingPart[];
  readonly violations: readonly Violation[];
}

/** The document without settings and overrides that no longer exist. */
function knownSettings(document: ZoneDocument): {
  readonly document: ZoneDocument;
  readonly missing: readonly MissingPart[];
} {
  const { configurationRule: member } = ruleListNames;
  const settings = only(allSettings, settingsMember, document[settingsMember]);
  const rules = Object.entries(itemsIn(document[member])).map(([id, content]) => {
    const path = `${member}.items.${id}.settingsOverrides`;
    const overrides = only(overridableSettings, path, objectIn(content)['settingsOverrides']);
    return { id, content: { ...objectIn(content), settingsOverrides: overrides.known }, missing: overrides.missing };
  });
  const items = Object.fromEntries(rules.map(({ id, content }) => [id, content]));
  return {
    document: {
      ...document,
      [settingsMember]: settings.known,
      [member]: { ...objectIn(document[member]), items },
    },
    missing: [...settings.missing, ...rules.flatMap(({ missing }) => missing)],
  };
}

function only(known: object, path: string, settings: Json | undefined) {
  const entries = Object.entries(objectIn(settings));
  return {
    known: Object.fromEntries(entries.filter(([name]) => Object.hasOwn(known, name))),
    missing: entries.flatMap(([name]): readonly MissingPart[] =>
      Object.hasOwn(known, name) ? [] : [{ path: `${path}.${name}`, kind: 'setting', name, effect: 'leftOut' }],
    ),
  };
}

/** The contents without references that no longer resolve. */
function present({ settings, lists }: ZoneContents, old: OldState, referents: ReferenceTargets): Rest<ZoneContents> {
  const zone = presentSettings(settings.value, old, referents);
  const rules = lists.map(({ kind, rules: those }) => ({
    kind,
    rests: those.map((rule) => presentRule(kind, rule, old.document, referents)),
  }));
  const rests = [zone, ...rules.flatMap((list) => list.rests)];
  return {
    contents: {
      settings: zone.missing.length === 0 ? settings : jsonDocument(zone.contents),
      lists: rules.map(({ kind, rests: those }) => ({ kind, rules: those.map(({ contents }) => contents) })),
    },
    missing: rests.flatMap(({ missing }) => missing),
    violations: rests.flatMap(({ violations }) => violations),
  };
}

/** References of settings that no longer resolve. */
interface Gone {
  readonly backend: BackendReference | undefined;
  readonly users: readonly { readonly id: BasicAuthUserId; readonly index: number }[];
}

const goneIn = ({ defaultBackend, basicAuth }: SettingsReferences, referents: ReferenceTargets): Gone => ({
  backend: defaultBackend === undefined || isUsable(referents, defaultBackend) ? undefined : defaultBackend,
  users: (basicAuth?.allowedUserIds ?? []).flatMap((id, index) => (referents.users.has(id) ? [] : [{ id, index }])),
});

/** Replaces settings that no longer resolve with their current values. */
function presentSettings(settings: ZoneSettings, old: OldState, referents: ReferenceTargets): Rest<ZoneSettings> {
  const gone = goneIn(settings, referents);
  const isForNobody = settings.basicAuth.enabled && referents.users.size === 0;
  const missing = missingAt(settingsMember, gone, old.document, 'kept');
  const nobody: MissingPart = { path: `${settingsMember}.basicAuth.enabled`, kind: 'basicAuthUser', effect: 'kept' };
  return {
    contents: ZoneSettings.parse({
      ...settings,
      ...(gone.backend === undefined ? {} : { defaultBackend: old.present.defaultBackend }),
      ...(gone.users.length === 0 && !isForNobody ? {} : { basicAuth: old.present.basicAuth }),
    }),
    missing: isForNobody && gone.users.length === 0 ? [...missing, nobody] : missing,
    violations: [],
  };
}

/** A rule without overrides that no longer resolve; a violation if it would then admit every user. */
function presentRule(
  kind: RuleKind,
  rule: WrittenRule,
  document: ZoneDocument,
  referents: ReferenceTargets,
): Rest<WrittenRule> {
  const content = rule.content.value;
  if (!('settingsOverrides' in content)) return { contents: rule, missing: [], violations: [] };
  const gone = goneIn(content.settingsOverrides, referents);
  const place = `${ruleListNames[kind]}.items.${rule.id}`;
  const missing = missingAt(`${place}.settingsOverrides`, gone, document, 'leftOut');
  if (missing.length === 0) return { contents: rule, missing, violations: [] };
  const { settingsOverrides, isForNobody } = presentOverrides(content.settingsOverrides, gone);
  return {
    contents: { ...rule, content: jsonDocument({ ...content, settingsOverrides }) },
    missing,
    violations: isForNobody ? [violation(place, 'restore.basicAuth.nobody', nobodyLeft)] : [],
  };
}

/** The overrides without references that no longer resolve, and whether nobody is left who may pass. */
function presentOverrides({ defaultBackend, basicAuth, ...others }: SettingsOverrides, { backend, users }: Gone) {
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

const missingAt = (
  place: string,
  { backend, users }: Gone,
  document: ZoneDocument,
  effect: MissingPart['effect'],
): readonly MissingPart[] => [
  ...(backend === undefined
    ? []
    : [{ path: `${place}.defaultBackend`, kind: 'backend', id: backend.id, effect } as const]),
  ...users.map(({ id, index }) => ({
    path: `${place}.basicAuth.allowedUserIds[${index}]`,
    kind: 'basicAuthUser' as const,
    id,
    ...usernameIn(document, id),
    effect,
  })),
];

function usernameIn(document: ZoneDocument, id: BasicAuthUserId): { readonly name?: string } {
  const { username }: JsonObject = objectIn(objectIn(document['basicAuthUsers'])[id]);
  return typeof username === 'string' ? { name: username } : {};
}

/** Adds the names that missing backends had at a moment. */
export const withBackendNames = (
  { backendHistory }: Pick<Repositories, 'backendHistory'>,
  zone: Pick<Zone, 'id' | 'organizationId'>,
  moment: ZoneMoment,
  missing: readonly MissingPart[],
): ResultAsync<readonly MissingPart[], never> => {
  const ids = missing.flatMap(({ kind, id }) => (kind === 'backend' && id !== undefined ? [BackendId.parse(id)] : []));
  if (ids.length === 0) return okAsync(missing);
  return backendHistory.asOf(zone, moment, ids).map(({ originServers, loadBalancers }) => {
    const names = new Map<string | undefined, string>(
      [...originServers, ...loadBalancers].map((backend) => [backend.id, backend.name]),
    );
    return missing.map((each) => {
      const name = each.name ?? names.get(each.id);
      return name === undefined ? each : { ...each, name };
    });
  });
};

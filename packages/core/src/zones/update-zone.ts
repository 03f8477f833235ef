import { err, ok, Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { recordChange } from '../history/record-change.ts';
import { zoneMembers } from '../history/zone-document.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { RulesOfZone } from '../rule-kinds/rule.ts';
import { inconsistencies, inconsistenciesWith } from '../settings/consistency.ts';
import { brokenReferences, lockReferents, type Referents } from '../settings/references.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import type { ZoneId } from '../shared/ids.ts';
import { type JsonDocument, jsonDocument } from '../shared/json-document.ts';
import { type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import { parseDocument } from '../shared/parse.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import {
  type InvalidInput,
  invalidInput,
  requireNone,
  type Violation,
  violation,
  violationsUnder,
} from '../shared/violation.ts';
import { type Zone, ZoneMembers, zoneNameDuplicate, zoneVersion } from './zone.ts';
import { lockZoneFor, type ZoneAccessError } from './zone-access.ts';
import { zoneAsSeenBy } from './zone-as-seen.ts';

export type UpdateZoneError = ZoneAccessError | VersionMismatch | InvalidInput;
export type UpdateZone = (
  caller: Caller,
  id: ZoneId,
  patch: JsonObject,
  expected: ExpectedVersions,
) => ResultAsync<Zone, UpdateZoneError>;

/** The zone as a patch wants it. */
interface WantedZone extends Pick<Zone, 'name' | 'tag'> {
  readonly settings: JsonDocument<ZoneSettings>;
}

/**
 * Changes name, tag and settings by a merge patch (RFC 7396): null gives a setting its default. The merged whole is
 * checked, and so is every rule that stands on the settings. A patch that changes nothing leaves no trace.
 */
export const updateZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): UpdateZone =>
  (caller, id, patch, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const current = yield* lockZoneFor(repositories, caller, id, 'zones.write');
        yield* requireVersion(expected, zoneVersion(current));
        const wanted = yield* patched(current, patch);
        if (isSame(current, wanted)) return ok(zoneAsSeenBy(caller, current));
        yield* requireValidZone(repositories, current, wanted);
        yield* stored(repositories, current, wanted);
        yield* recordChange(repositories, caller, current, {
          action: 'zone.changed',
          objects: {},
          before: zoneMembers(current),
          after: zoneMembers(wanted),
        });
        return repositories.zones.lock(id).map((zone) => zoneAsSeenBy(caller, zone));
      }),
    );

/** A zone stays in its organization, which the patch may name. */
function patched(current: Zone, { organization, ...patch }: JsonObject): Result<WantedZone, InvalidInput> {
  const isOther = organization !== undefined && organization !== current.organizationId;
  const stays: Result<void, InvalidInput> = isOther ? err(invalidInput([organizationChange])) : ok();
  const members = parseDocument(ZoneMembers, mergePatch(zoneMembers(current), patch));
  return Result.combineWithAllErrors([members, stays])
    .map(([{ name, tag, zone_settings: settings }]) => ({ name, tag, settings: jsonDocument(settings) }))
    .mapErr((errors) => invalidInput(errors.flatMap(({ violations }) => violations)));
}

const organizationChange = violation(
  'organization',
  'organization.change',
  'The organization of an existing zone cannot be changed.',
);

const isSame = (current: Zone, wanted: WantedZone): boolean =>
  current.name === wanted.name && current.tag === wanted.tag && current.settings.text === wanted.settings.text;

/** Every violation at once: of the name, of the settings, and of the rules that stand on them. */
const requireValidZone = (
  repositories: Repositories,
  current: Zone,
  { name, tag, settings: { value: settings } }: WantedZone,
): ResultAsync<void, InvalidInput> =>
  safeTry(async function* () {
    const zone = { ...current, name, tag };
    const isTaken = yield* repositories.zones.nameIsTaken(zone);
    const rules = yield* repositories.rules.all({ zone: zone.id, kind: 'configurationRule' });
    const renamed = name === current.name ? [] : rules;
    const backends = renamed.map(({ content }) => ({ defaultBackend: content.value.settingsOverrides.defaultBackend }));
    const referents = yield* lockReferents(repositories, zone, [settings, ...backends]);
    const broken = [
      ...inconsistencies(settings),
      ...brokenReferences(zone, referents, settings),
      ...brokenBySettings(rules, settings),
    ];
    return requireNone([
      ...(isTaken ? [zoneNameDuplicate] : []),
      ...brokenByName(renamed, zone, referents),
      ...violationsUnder('zone_settings', broken),
    ]);
  });

/**
 * What configuration rules break with new settings of their zone, each rule named; reported at the setting, for it is
 * the settings that change.
 */
const brokenBySettings = (rules: RulesOfZone['configurationRule'], settings: ZoneSettings): readonly Violation[] =>
  rules.flatMap(({ id, content: { value: rule } }) =>
    inconsistenciesWith(settings, rule.settingsOverrides, 'settings').map(({ propertyPath, message, code }) =>
      violation(propertyPath, code, `The rule "${rule.name}" (${id}) would become invalid. ${message}`),
    ),
  );

/** Which configuration rules would send requests round in circles if the zone had this name. */
const brokenByName = (
  rules: RulesOfZone['configurationRule'],
  zone: Pick<Zone, 'name'>,
  referents: Referents,
): readonly Violation[] =>
  rules.flatMap(({ id, content: { value: rule } }) =>
    brokenReferences(zone, referents, { defaultBackend: rule.settingsOverrides.defaultBackend }).map(
      ({ code, message }) => violation('name', code, `The rule "${rule.name}" (${id}): ${message}`),
    ),
  );

const stored = (
  { zones }: Repositories,
  { id, settings: before }: Zone,
  { name, tag, settings }: WantedZone,
): ResultAsync<void, InvalidInput> =>
  zones
    .rename(id, { name, tag })
    .mapErr(() => invalidInput([zoneNameDuplicate]))
    .andThen(() => (settings.text === before.text ? ok() : zones.saveSettings(id, settings)));

import { err, ok, Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { zoneMembers } from '../history/zone-document.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { RulesOfZone } from '../rule-kinds/rule.ts';
import { inconsistencies, inconsistenciesWith } from '../settings/consistency.ts';
import { brokenReferences, type Referents } from '../settings/references.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import type { ZoneId } from '../shared/ids.ts';
import { type JsonDocument, jsonDocument } from '../shared/json-document.ts';
import { type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import { parseDocument } from '../shared/parse.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import {
  type InvalidInput,
  invalidInput,
  joined,
  requireNone,
  type Violation,
  violation,
  violationsUnder,
} from '../shared/violation.ts';
import { changeZone } from './change-zone.ts';
import { type Zone, ZoneMembers, zoneNameDuplicate, zoneVersion } from './zone.ts';
import type { ZoneAccessError } from './zone-access.ts';
import { zoneAsSeenBy } from './zone-as-seen.ts';
import { type DecisionBasis, referentsOf, type Unknown, type ZoneCommand } from './zone-command.ts';
import { isNothing } from './zone-plan.ts';

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
    changeZone(unitOfWork, caller, id, zoneUpdate(patch, expected)).map(({ after }) =>
      zoneAsSeenBy(caller, after.zone),
    );

/** The command that merges a patch into name, tag and settings. */
const zoneUpdate = (patch: JsonObject, expected: ExpectedVersions): ZoneCommand<VersionMismatch | InvalidInput> => ({
  permission: 'zones.write',
  nameTaken: invalidInput([zoneNameDuplicate]),
  decide: (basis) =>
    safeTry(function* () {
      const { zone } = basis.state;
      yield* requireVersion(expected, zoneVersion(zone));
      const { name, tag, settings } = yield* patched(zone, patch);
      const plan = {
        ...(isSameName(zone, { name, tag }) ? {} : { names: { name, tag } }),
        ...(settings.text === zone.settings.text ? {} : { settings }),
      };
      if (!isNothing(plan)) yield* requireValidZone(basis, { name, tag, settings });
      return ok({ plan, action: 'zone.changed', objects: {} });
    }),
});

/** A zone stays in its organization, which the patch may name. */
function patched(current: Zone, { organization, ...patch }: JsonObject): Result<WantedZone, InvalidInput> {
  const isOther = organization !== undefined && organization !== current.organizationId;
  const stays: Result<void, InvalidInput> = isOther ? err(invalidInput([organizationChange])) : ok();
  const members = parseDocument(ZoneMembers, mergePatch(zoneMembers(current), patch));
  return Result.combineWithAllErrors([members, stays])
    .map(([{ name, tag, zone_settings: settings }]) => ({ name, tag, settings: jsonDocument(settings) }))
    .mapErr(joined);
}

const organizationChange = violation(
  'organization',
  'organization.change',
  'The organization of an existing zone cannot be changed.',
);

const isSameName = (one: Pick<Zone, 'name' | 'tag'>, other: Pick<Zone, 'name' | 'tag'>): boolean =>
  one.name === other.name && one.tag === other.tag;

/** Every violation at once: of the name, of the settings, and of the rules that stand on them. */
function requireValidZone(
  basis: DecisionBasis,
  { settings: { value: settings }, ...names }: WantedZone,
): Result<void, InvalidInput | Unknown> {
  const { zone: current, rules: ofEveryKind } = basis.state;
  const { configurationRule: rules } = ofEveryKind;
  const renamed = names.name === current.name ? [] : rules;
  const backends = renamed.map(({ content }) => ({ defaultBackend: content.value.settingsOverrides.defaultBackend }));
  const given = isSameName(current, names) ? undefined : names;
  return referentsOf(basis, [settings, ...backends], { names: given }).andThen(
    (referents): Result<void, InvalidInput | Unknown> => {
      const broken = [
        ...inconsistencies(settings),
        ...brokenReferences(names, referents, settings),
        ...brokenBySettings(rules, settings),
      ];
      const violations = [...brokenByName(renamed, names, referents), ...violationsUnder('zone_settings', broken)];
      // The statement that writes a name finds it taken. It is asked for before where something else is wrong as well.
      if (violations.length > 0 && given !== undefined && basis.outside === undefined) {
        return err({ type: 'Unknown', backends: [], names: given });
      }
      return requireNone([...(basis.outside?.isNameTaken ? [zoneNameDuplicate] : []), ...violations]);
    },
  );
}

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

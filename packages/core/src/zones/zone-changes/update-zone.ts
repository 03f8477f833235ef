import { err, ok, Result, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import { isSameJson, type JsonDocument, type JsonObject, jsonDocument, mergePatch } from '../../kernel/shared/json.ts';
import { parseDocument } from '../../kernel/shared/parse.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import {
  type InvalidInput,
  invalidInput,
  joined,
  requireNone,
  type Violation,
  violation,
  violationsUnder,
} from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { decidedHostNames, newNames, type WantedHostNames } from '../../organizations/domains/host-name-rules.ts';
import { zoneMembers } from '../history/zone-document.ts';
import type { RulesOfZone } from '../rule-kinds/rule.ts';
import { inconsistencies, inconsistenciesWith } from '../settings/consistency.ts';
import { type Answering, brokenReferences, type ReferenceTargets } from '../settings/references.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import { type Zone, ZoneMembers, zoneNameDuplicate, zoneVersion } from '../zones/zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { zoneAsSeenBy } from '../zones/zone-as-seen.ts';
import { changeZone, type ZoneChangeRepositories } from './change-zone.ts';
import { type Decision, decideWithReferences, mapDecision } from './decision.ts';
import { type HostNameTaking, takeHostNames } from './take-host-names.ts';
import type { ZoneChange } from './zone-command.ts';
import type { ResolvedReferences } from './zone-facts.ts';
import { isEmptyPlan, type ZonePlan } from './zone-plan.ts';

/** The zone with a patch applied. */
interface WantedZone extends Pick<Zone, 'name' | 'tag' | 'hostnames'> {
  readonly settings: JsonDocument<ZoneSettings>;
}

/**
 * Applies a merge patch (RFC 7396) to name, tag, host names and settings; null resets a setting to its default. The result is
 * validated as a whole, including all rules that depend on the settings. A patch that changes nothing leaves no trace.
 */
export const updateZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<ZoneChangeRepositories & HostNameTaking> }) =>
  (
    caller: Caller,
    id: ZoneId,
    patch: JsonObject,
    expected: ExpectedVersions,
  ): ResultAsync<Zone, ZoneAccessError | VersionMismatch | InvalidInput> =>
    changeZone(unitOfWork, caller, id, {
      permission: 'zones.write',
      takeHostNames,
      nameTaken: invalidInput([zoneNameDuplicate]),
      decide: (basis) =>
        safeTry(function* () {
          const { zone } = basis.state;
          yield* requireVersion(expected, zoneVersion(zone));
          const wanted = yield* patched(zone, patch);
          const { name, tag, settings } = wanted;
          const plan = {
            ...(isSameName(zone, wanted) ? {} : { names: { name, tag } }),
            ...(settings.text === zone.settings.text ? {} : { settings }),
          };
          const change = (all: ZonePlan): ZoneChange => ({ plan: all, action: 'zone.changed', objects: {} });
          const areSameNames = isSameJson(wanted.hostnames, zone.hostnames);
          if (isEmptyPlan(plan) && areSameNames) return ok({ decided: change(plan) });
          return validZone(basis, wanted).map(
            mapDecision((hostnames) => change(areSameNames ? plan : { ...plan, hostnames })),
          );
        }),
    }).map(({ after }) => zoneAsSeenBy(caller, after.zone));

/** A zone cannot change its organization, but a patch may repeat it. Host names are only validated if it has some. */
function patched(current: Zone, { organization, ...patch }: JsonObject): Result<WantedZone, InvalidInput> {
  const isOther = organization !== undefined && organization !== current.organizationId;
  const stays: Result<void, InvalidInput> = isOther ? err(invalidInput([organizationChange])) : ok();
  const { hostnames: _, ...others } = zoneMembers(current);
  const members = parseDocument(ZoneMembers, mergePatch(others, patch));
  const areWritten = Object.hasOwn(patch, 'hostnames');
  return Result.combineWithAllErrors([members, stays])
    .map(([{ name, tag, hostnames: written, zone_settings: settings }]) => ({
      name,
      tag,
      hostnames: areWritten ? written : current.hostnames,
      settings: jsonDocument(settings),
    }))
    .mapErr(joined);
}

const organizationChange = violation(
  'organization',
  'organization.change',
  'The organization of an existing zone cannot be changed.',
);

const isSameName = (one: Pick<Zone, 'name' | 'tag'>, other: Pick<Zone, 'name' | 'tag'>): boolean =>
  one.name === other.name && one.tag === other.tag;

/** Reports all violations at once: of the names, of the settings, and of the rules that depend on them. */
function validZone(
  { state, limits }: StateWithLimits,
  { settings: { value: settings }, hostnames, ...names }: WantedZone,
): Result<Decision<WantedHostNames, InvalidInput>, InvalidInput> {
  const { zone: current, rules: ofEveryKind } = state;
  const { hostnames: held } = current;
  const { configurationRule: rules } = ofEveryKind;
  const zone = { ...names, hostnames };
  const concerned = answersForMore(zone, current) ? rules : [];
  const backends = concerned.map(({ content }) => ({ defaultBackend: content.value.settingsOverrides.defaultBackend }));
  const given = isSameName(current, names) ? undefined : names;
  const check = (referents: ReferenceTargets, resolved?: ResolvedReferences): Result<WantedHostNames, InvalidInput> => {
    const decided = decidedHostNames(hostnames, { held, limits, facts: resolved?.hostNames });
    const broken = [
      ...inconsistencies(settings),
      ...brokenReferences(zone, referents, settings),
      ...brokenBySettings(rules, settings),
    ];
    return requireNone([
      ...(resolved?.isNameTaken === true ? [zoneNameDuplicate] : []),
      ...brokenByNames(concerned, zone, { current, referents }),
      ...decided.violations,
      ...violationsUnder('zone_settings', broken),
    ]).map(() => decided.wanted);
  };
  const hostNames = newNames(hostnames, held);
  const decision = decideWithReferences(state, { settings: [settings, ...backends], names: given, hostNames }, check);
  return given === undefined ? decision : decision.orElse(({ violations }) => ok(withTakenName(given, violations)));
}

/** Writing a name that is taken fails anyway. It is only looked up in advance to report it along with other violations. */
const withTakenName = (
  names: Pick<Zone, 'name' | 'tag'>,
  violations: readonly Violation[],
): Decision<never, InvalidInput> => ({
  needs: { backends: [], names },
  decide: ({ isNameTaken }) => err(invalidInput([...(isNameTaken ? [zoneNameDuplicate] : []), ...violations])),
});

/**
 * Violations that new settings cause in configuration rules; each names the rule, but is reported at the setting that
 * changes.
 */
const brokenBySettings = (rules: RulesOfZone['configurationRule'], settings: ZoneSettings): readonly Violation[] =>
  rules.flatMap(({ id, content: { value: rule } }) =>
    inconsistenciesWith(settings, rule.settingsOverrides, 'settings').map(({ propertyPath, message, code }) =>
      violation(propertyPath, code, `The rule "${rule.name}" (${id}) would become invalid. ${message}`),
    ),
  );

/** Whether the zone would answer for an address that it does not answer for now. */
const answersForMore = ({ name, hostnames }: Answering, current: Answering): boolean =>
  name !== current.name || newNames(hostnames, current.hostnames).length > 0;

/** Configuration rules that would cause a request loop if the zone answered for these names, at the member that changes. */
const brokenByNames = (
  rules: RulesOfZone['configurationRule'],
  zone: Answering,
  { current, referents }: { readonly current: Answering; readonly referents: ReferenceTargets },
): readonly Violation[] =>
  rules.flatMap(({ id, content: { value: rule } }) =>
    brokenReferences(zone, referents, { defaultBackend: rule.settingsOverrides.defaultBackend }).map(
      ({ code, message }) =>
        violation(
          zone.name === current.name ? 'hostnames' : 'name',
          code,
          `The rule "${rule.name}" (${id}): ${message}`,
        ),
    ),
  );

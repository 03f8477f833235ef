import { ok, Result, ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import type { RevisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { WrittenRule } from '../rule-kinds/rule.ts';
import { type RuleKind, ruleKindNames, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import { parseRuleContent } from '../rules/rule-draft.ts';
import { listViolations, referencesOf } from '../rules/rule-write.ts';
import { inconsistencies } from '../settings/consistency.ts';
import { brokenReferences } from '../settings/references.ts';
import { ZoneSettings } from '../settings/settings.ts';
import { RuleId, type ZoneId } from '../shared/ids.ts';
import { type JsonDocument, jsonDocument } from '../shared/json-document.ts';
import { isJsonObject, type Json, type JsonObject } from '../shared/merge-patch.ts';
import { parse } from '../shared/parse.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { type InvalidInput, invalidInput, requireNone, violationsUnder } from '../shared/violation.ts';
import { changeZone } from '../zones/change-zone.ts';
import { zoneVersion } from '../zones/zone.ts';
import { checkZoneAccess, type ZoneAccessError } from '../zones/zone-access.ts';
import { type DecisionBasis, referentsOf, type Unknown, type ZoneCommand } from '../zones/zone-command.ts';
import { listPlans } from '../zones/zone-plan.ts';

export type RestoreRevisionError = ZoneAccessError | RevisionNotFound | VersionMismatch | InvalidInput;
export type RestoreRevision = (
  caller: Caller,
  zone: ZoneId,
  number: RevisionNumber,
  expected: ExpectedVersions,
) => ResultAsync<void, RestoreRevisionError>;

/**
 * Gives a zone the settings and rules it had at a revision, all or nothing, as one more revision. Name, tag, ban token
 * and basic-auth users stay as they are. What an old state names but is gone (a backend, a basic-auth user) is a
 * violation at its place in that state; all of them are reported at once.
 */
export const restoreRevision =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): RestoreRevision =>
  (caller, zone, number, expected) =>
    checkZoneAccess({ unitOfWork })(caller, zone, 'zones.write')
      .andThen(() => unitOfWork.view((repositories) => wrapped(stateAt(repositories, zone, number))))
      .andThen((old) => changeZone(unitOfWork, caller, zone, restoration(number, old, expected)))
      .map(() => undefined);

/** A result as a value: whether it is an error matters only once more is known. */
const wrapped = <T, E>(result: ResultAsync<T, E>): ResultAsync<Result<T, E>, never> =>
  ResultAsync.fromSafePromise(Promise.resolve(result));

/** The command that restores settings and rules. `old` is the zone's document at the revision. */
const restoration = (
  number: RevisionNumber,
  old: Result<ZoneDocument, RevisionNotFound>,
  expected: ExpectedVersions,
): ZoneCommand<VersionMismatch | RevisionNotFound | InvalidInput> => ({
  permission: 'zones.write',
  decide: (basis) =>
    safeTry(function* () {
      const { state } = basis;
      yield* requireVersion(expected, zoneVersion(state.zone));
      const contents = yield* old.andThen(contentsOf);
      yield* requireValidState(basis, contents);
      const isSame = contents.settings.text === state.zone.settings.text;
      return ok({
        plan: {
          ...(isSame ? {} : { settings: contents.settings }),
          lists: listPlans(state, contents.lists),
        },
        action: 'zone.restored',
        objects: { revision: String(number) },
        isAlwaysRecorded: true,
      });
    }),
});

/** What an old state says of settings and rules. */
interface OldContents {
  readonly settings: JsonDocument<ZoneSettings>;
  readonly lists: readonly { readonly kind: RuleKind; readonly rules: readonly WrittenRule[] }[];
}

/** The settings and rules of an old state; each was valid then and is checked again. */
function contentsOf(state: ZoneDocument): Result<OldContents, InvalidInput> {
  const settings = parse(ZoneSettings, state['zone_settings']).map(jsonDocument).mapErr(under('zone_settings'));
  const lists = ruleKindNames.map((kind) => {
    const { member } = ruleKinds[kind];
    return rulesIn(kind, state[member])
      .map((rules) => ({ kind, rules }))
      .mapErr(under(member));
  });
  return Result.combineWithAllErrors([settings, Result.combineWithAllErrors(lists).mapErr(joined)])
    .map(([document, found]) => ({ settings: document, lists: found }))
    .mapErr(joined);
}

/** The rules of a list in an old state. */
function rulesIn<K extends RuleKind>(kind: K, list: Json | undefined): Result<readonly WrittenRule<K>[], InvalidInput> {
  const { order, items } = isJsonObject(list) ? list : {};
  // `Array.isArray` does not narrow to the read-only list of the union.
  const ids = Array.isArray(order) ? (order as readonly Json[]).map((id) => RuleId.parse(id)) : [];
  const contents: JsonObject = isJsonObject(items) ? items : {};
  const rules = ids.map((id, index) => {
    const content = contents[id];
    return parseRuleContent(kind, isJsonObject(content) ? content : {})
      .map((value) => ({ id, content: jsonDocument(value) }))
      .mapErr(under(`[${index}]`));
  });
  return Result.combineWithAllErrors(rules).mapErr(joined);
}

/** Every violation at once: of the zone's settings, and of its rules on top of them. */
function requireValidState(
  basis: DecisionBasis,
  { settings, lists }: OldContents,
): Result<void, InvalidInput | Unknown> {
  const zone = { ...basis.state.zone, settings };
  const named = lists.flatMap(({ rules }) => referencesOf(rules.map(({ content }) => content.value)));
  return referentsOf(basis, [settings.value, ...named]).andThen((referents) =>
    requireNone([
      ...violationsUnder('zone_settings', [
        ...inconsistencies(settings.value),
        ...brokenReferences(zone, referents, settings.value),
      ]),
      ...lists.flatMap(({ kind, rules }) =>
        violationsUnder(ruleKinds[kind].member, listViolations(zone, referents, kind, rules)),
      ),
    ]),
  );
}

const joined = (errors: readonly InvalidInput[]): InvalidInput =>
  invalidInput(errors.flatMap(({ violations }) => violations));

/** Moves violations under a member or a place in a list. */
const under =
  (place: string) =>
  ({ violations }: InvalidInput): InvalidInput =>
    invalidInput(violationsUnder(place, violations));

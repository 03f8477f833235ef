import { ok, Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { currentDocument } from '../history/current-document.ts';
import type { RevisionNotFound } from '../history/errors.ts';
import { recordChange } from '../history/record-change.ts';
import type { RevisionNumber } from '../history/revision.ts';
import { stateAt } from '../history/state-at.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import { type RuleKind, ruleKindNames, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { WrittenRule } from '../rules/ports.ts';
import { listViolations, rewriteList } from '../rules/rewrite-list.ts';
import { parseRuleContent } from '../rules/rule-draft.ts';
import { referencesOf } from '../rules/rule-write.ts';
import { inconsistencies } from '../settings/consistency.ts';
import { brokenReferences, lockReferents } from '../settings/references.ts';
import { ZoneSettings } from '../settings/settings.ts';
import { RuleId, type ZoneId } from '../shared/ids.ts';
import { type JsonDocument, jsonDocument } from '../shared/json-document.ts';
import { isJsonObject, type Json, type JsonObject } from '../shared/merge-patch.ts';
import { parse } from '../shared/parse.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { type InvalidInput, invalidInput, requireNone, violationsUnder } from '../shared/violation.ts';
import { type Zone, zoneVersion } from '../zones/zone.ts';
import { lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';

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
  (caller, zoneId, number, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const current = yield* lockZoneFor(repositories, caller, zoneId, 'zones.write');
        yield* requireVersion(expected, zoneVersion(current));
        const before = yield* currentDocument(repositories, current);
        const old = yield* stateAt(repositories, zoneId, number).andThen(contentsOf);
        const zone = { ...current, settings: old.settings };
        yield* requireValidState(repositories, zone, old.lists);
        if (zone.settings.text !== current.settings.text) yield* repositories.zones.saveSettings(zoneId, zone.settings);
        for (const { kind, wanted } of old.lists) {
          const list = { zone: zoneId, kind };
          const rules = yield* repositories.rules.all(list);
          yield* rewriteList(repositories, list, { current: rules, wanted }).mapErr(under(ruleKinds[kind].member));
        }
        const after = yield* currentDocument(repositories, zone);
        const objects = { revision: String(number) };
        yield* recordChange(repositories, caller, zone, { action: 'zone.restored', objects, before, after });
        return ok();
      }),
    );

/** What an old state says of settings and rules. */
interface OldContents {
  readonly settings: JsonDocument<ZoneSettings>;
  readonly lists: readonly { readonly kind: RuleKind; readonly wanted: readonly WrittenRule[] }[];
}

/** The settings and rules of an old state; each was valid then and is checked again. */
function contentsOf(state: ZoneDocument): Result<OldContents, InvalidInput> {
  const settings = parse(ZoneSettings, state['zone_settings']).map(jsonDocument).mapErr(under('zone_settings'));
  const lists = ruleKindNames.map((kind) => {
    const { member } = ruleKinds[kind];
    return rulesIn(kind, state[member])
      .map((wanted) => ({ kind, wanted }))
      .mapErr(under(member));
  });
  return Result.combineWithAllErrors([settings, Result.combineWithAllErrors(lists).mapErr(joined)])
    .map(([document, found]) => ({ settings: document, lists: found }))
    .mapErr(joined);
}

/** The rules of a list in an old state. */
function rulesIn<K extends RuleKind>(kind: K, list: Json | undefined): Result<readonly WrittenRule<K>[], InvalidInput> {
  const { order, items } = isJsonObject(list) ? list : {};
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
const requireValidState = (
  repositories: Repositories,
  zone: Zone,
  lists: OldContents['lists'],
): ResultAsync<void, InvalidInput> => {
  const { value: settings } = zone.settings;
  const contents = ({ wanted }: OldContents['lists'][number]) => wanted.map(({ content }) => content.value);
  const named = lists.flatMap((list) => referencesOf(contents(list)));
  return lockReferents(repositories, zone, [settings, ...named]).andThen((referents) =>
    requireNone([
      ...violationsUnder('zone_settings', [
        ...inconsistencies(settings),
        ...brokenReferences(zone, referents, settings),
      ]),
      ...lists.flatMap(({ kind, wanted }) =>
        violationsUnder(ruleKinds[kind].member, listViolations(zone, referents, kind, wanted)),
      ),
    ]),
  );
};

const joined = (errors: readonly InvalidInput[]): InvalidInput =>
  invalidInput(errors.flatMap(({ violations }) => violations));

/** Moves violations under a member or a place in a list. */
const under =
  (place: string) =>
  ({ violations }: InvalidInput): InvalidInput =>
    invalidInput(violationsUnder(place, violations));

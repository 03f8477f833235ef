import { err, ok, Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { WrittenRule } from '../rules/ports.ts';
import { rewriteList } from '../rules/rewrite-list.ts';
import { parseRuleContent } from '../rules/rule-draft.ts';
import { type RuleKind, ruleKindNames, ruleKinds } from '../rules/rule-kinds.ts';
import type { Caller } from '../sessions/caller.ts';
import { RuleId, type ZoneId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import { isJsonObject, type Json, type JsonObject } from '../shared/merge-patch.ts';
import { parse } from '../shared/parse.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { type InvalidInput, invalidInput, violationsUnder } from '../shared/violation.ts';
import { settingsAgainstZone } from '../zones/settings-against-zone.ts';
import { type Zone, zoneVersion } from '../zones/zone.ts';
import { lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import { ZoneSettings } from '../zones/zone-settings.ts';
import { currentDocument } from './current-document.ts';
import type { RevisionNotFound } from './errors.ts';
import { recordChange } from './record-change.ts';
import type { RevisionNumber } from './revision.ts';
import { stateAt } from './state-at.ts';
import type { ZoneDocument } from './zone-document.ts';

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
 * violation at its place in that state.
 */
export const restoreRevision =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): RestoreRevision =>
  (caller, zoneId, number, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const zone = yield* lockZoneFor(repositories, caller, zoneId, 'zones.write');
        yield* requireVersion(expected, zoneVersion(zone));
        const before = yield* currentDocument(repositories, zone);
        const state = yield* stateAt(repositories, zoneId, number);
        const restored = yield* restoreSettings(repositories, zone, state);
        for (const kind of ruleKindNames) yield* restoreList(repositories, restored, kind, state);
        const after = yield* currentDocument(repositories, zone);
        const action = 'zone.restored';
        yield* recordChange(repositories, caller, zone, {
          action,
          objects: { revision: String(number) },
          before,
          after,
        });
        return ok();
      }),
    );

const restoreSettings = (
  repositories: Repositories,
  zone: Zone,
  state: ZoneDocument,
): ResultAsync<Zone, InvalidInput> =>
  safeTry(async function* () {
    const settings = jsonDocument(yield* parse(ZoneSettings, state['zone_settings']).mapErr(under('zone_settings')));
    const violations = yield* settingsAgainstZone(repositories, zone, settings.value);
    if (violations.length > 0) return err(under('zone_settings')(invalidInput(violations)));
    const isSame = settings.text === zone.settings.text;
    if (!isSame) yield* repositories.zones.saveSettings(zone.id, settings);
    return ok({ ...zone, settings });
  });

const restoreList = (
  repositories: Repositories,
  zone: Zone,
  kind: RuleKind,
  state: ZoneDocument,
): ResultAsync<void, InvalidInput> =>
  safeTry(async function* () {
    const { member } = ruleKinds[kind];
    const list = { zone: zone.id, kind };
    const wanted = yield* rulesIn(kind, state[member]).mapErr(under(member));
    const current = yield* repositories.rules.all(list);
    yield* rewriteList(repositories, zone, list, { current, wanted }).mapErr(under(member));
    return ok();
  });

/** The rules of a list in an old state; it was valid then and is checked again. */
function rulesIn<K extends RuleKind>(kind: K, list: Json | undefined): Result<readonly WrittenRule<K>[], InvalidInput> {
  const { order, items } = isJsonObject(list) ? list : {};
  const ids = Array.isArray(order) ? (order as readonly Json[]).map((id) => RuleId.parse(id)) : [];
  const contents: JsonObject = isJsonObject(items) ? items : {};
  return Result.combine(
    ids.map((id, index) => {
      const content = contents[id];
      return parseRuleContent(kind, isJsonObject(content) ? content : {})
        .map((value) => ({ id, content: jsonDocument(value) }))
        .mapErr(under(`[${index}]`));
    }),
  );
}

/** Moves violations under a member or a place in a list. */
const under =
  (place: string) =>
  ({ violations }: InvalidInput): InvalidInput =>
    invalidInput(violationsUnder(place, violations));

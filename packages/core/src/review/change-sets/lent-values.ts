import { okAsync, type ResultAsync } from 'neverthrow';
import { defect } from '../../kernel/shared/failures.ts';
import {
  isJsonList,
  isJsonObject,
  type Json,
  type JsonDocument,
  type JsonObject,
  jsonDocument,
  objectIn,
} from '../../kernel/shared/json.ts';
import { settingsMember } from '../../zones/drafts/zone-contents.ts';
import type { ZoneHistory } from '../../zones/history/ports.ts';
import { revisionNumber } from '../../zones/history/revision.ts';
import { stateAt } from '../../zones/history/state-at.ts';
import type { ZoneDocument } from '../../zones/history/zone-document.ts';
import type { ChangeSet, StoredChangeSet } from './change-set.ts';

/** A value is left out of a patch if its text is longer than this many characters. */
const keptCharacters = 200;

/** A patch leaves values out if that saves at least this many characters. */
export const minSavedCharacters = 4096;

/**
 * A placeholder for a value in the lender's document. In settings, `[[]]` is the value at the same path; in a rule,
 * `[[5]]` is the value at the same path within the rule at index 5 of the same list. No member of settings or rules is a
 * list of lists, so a patch with places is invalid unless they are filled in.
 */
type Place = readonly [readonly number[]];

const isPlace = (value: Json): value is Place => isJsonList(value) && value.length === 1 && isJsonList(value[0]);

const hasPlace = (value: Json): boolean =>
  isPlace(value) || (isJsonObject(value) && Object.values(value).some(hasPlace));

type Path = readonly string[];

/**
 * The patch with places for the long values that the lender has, too; undefined if that saves too little, or if the
 * patch has something like a place itself. `sources`: the lender's rules by the ids that they have in the patch.
 */
export function withoutLent(
  patch: JsonDocument<JsonObject>,
  lender: ZoneDocument,
  sources: ReadonlyMap<string, string>,
): JsonDocument<JsonObject> | undefined {
  if (hasPlace(patch.value)) return undefined;
  const shortened = (value: Json, path: Path): Json => {
    const place = placeOf(path, lender, sources);
    if (place !== undefined) {
      const text = JSON.stringify(value);
      if (text.length <= keptCharacters) return value;
      if (text === JSON.stringify(lentAt(lender, path, place))) return place;
    }
    return isJsonObject(value) ? membersOf(value, path, shortened) : value;
  };
  const rest = jsonDocument(membersOf(patch.value, [], shortened));
  return patch.text.length - rest.text.length >= minSavedCharacters ? rest : undefined;
}

/** The patch with the lender's values in all places: exactly as it was, including the order of members. */
export function withLent(patch: JsonObject, lender: ZoneDocument): JsonObject {
  const filled = (value: Json, path: Path): Json => {
    if (!isPlace(value)) return isJsonObject(value) ? membersOf(value, path, filled) : value;
    const lent = lentAt(lender, path, value);
    if (lent === undefined) throw new Error('A revision lacks a value that a change set has left out.');
    return lent;
  };
  return membersOf(patch, [], filled);
}

const membersOf = (object: JsonObject, path: Path, mapped: (value: Json, path: Path) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, mapped(value, [...path, name])]));

/**
 * The place for a value at this path. Never for all settings or all overrides of a rule: a merge takes a list in their
 * place for an empty object.
 */
function placeOf(
  [list = '', items, id, ...member]: Path,
  lender: ZoneDocument,
  sources: ReadonlyMap<string, string>,
): Place | undefined {
  if (list === settingsMember) return items === undefined ? undefined : [[]];
  const source = id === undefined ? undefined : sources.get(id);
  if (items !== 'items' || source === undefined || member.join('.') === 'settingsOverrides') return undefined;
  const index = orderOf(lender, list).indexOf(source);
  return index < 0 ? undefined : [[index]];
}

const orderOf = (document: JsonObject, list: string): readonly string[] => {
  const { order } = objectIn(document[list]);
  // Orders in documents hold only ids.
  return isJsonList(order) ? (order as readonly string[]) : [];
};

function lentAt(lender: JsonObject, path: Path, [[index]]: Place): Json | undefined {
  const [list = '', items = '', , ...member] = path;
  const names = index === undefined ? path : [list, items, orderOf(lender, list)[index] ?? '', ...member];
  return names.reduce<Json | undefined>(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    lender,
  );
}

/**
 * A stored change set with its whole patch. Reading what a lender has needs no permission: it has been part of the set
 * from the beginning.
 */
export function wholeChangeSet(
  repositories: { readonly history: ZoneHistory },
  { lender, patch, ...set }: StoredChangeSet,
): ResultAsync<ChangeSet, never> {
  if (lender === undefined) return okAsync({ ...set, lender, patch });
  return revisionNumber(lender.revision)
    .asyncAndThen((revision) => stateAt(repositories, lender.zone, revision))
    .map((document) => ({ ...set, lender: undefined, patch: jsonDocument(withLent(patch.value, document)) }))
    .orElse(() => defect('The revision that lends values to a change set is not in the history of its zone.'));
}

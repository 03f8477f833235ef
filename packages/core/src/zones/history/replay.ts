import type { RuleId } from '../../kernel/shared/ids.ts';
import { isJsonList, isJsonObject, type JsonObject, mergePatch } from '../../kernel/shared/json.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import { moveAll } from '../rule-kinds/rule-order.ts';
import { listIn, type ZoneDocument } from './zone-document.ts';

/**
 * Applies a patch from history: a merge patch (RFC 7396), except that the order of a list may be an object that only
 * places single rules (`{id: position}`); removed rules leave the order implicitly.
 */
export function replay(document: ZoneDocument, patch: JsonObject): ZoneDocument {
  const places = ruleKindNames.flatMap((kind) => placesIn(patch, kind));
  const lists = new Set<string>(places.map(({ kind }) => ruleListNames[kind]));
  const merged = mergePatch(document, withoutPlaces(patch, lists));
  return places.reduce((placed, { kind, positions }) => withPositions(document, placed, kind, positions), merged);
}

/** The new positions of rules in a list. */
interface Places {
  readonly kind: RuleKind;
  readonly positions: JsonObject;
}

/** Where a patch places rules of a list; nothing if it does not touch the list or replaces its order. */
function placesIn(patch: JsonObject, kind: RuleKind): readonly Places[] {
  const list = patch[ruleListNames[kind]];
  if (!isJsonObject(list) || isJsonList(list['order'])) return [];
  return [{ kind, positions: isJsonObject(list['order']) ? list['order'] : {} }];
}

const withoutPlaces = (patch: JsonObject, lists: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(
    Object.entries(patch).map(([member, value]) => {
      if (!lists.has(member) || !isJsonObject(value)) return [member, value];
      const { order: _, ...others } = value;
      return [member, others];
    }),
  );

/** The merged document with the order that a list had before, without removed rules, and with placed rules moved. */
function withPositions(
  before: ZoneDocument,
  merged: ZoneDocument,
  kind: RuleKind,
  positions: JsonObject,
): ZoneDocument {
  const { [ruleListNames[kind]]: list } = merged;
  if (list === undefined) return merged;
  const remaining = listIn(before, kind).order.filter((id) => Object.hasOwn(list.items ?? {}, id));
  // Patches of history place rules by their ids.
  const places = new Map(Object.entries(positions).map(([id, place]) => [id as RuleId, Number(place)]));
  return { ...merged, [ruleListNames[kind]]: { ...list, order: moveAll(remaining, places) } };
}

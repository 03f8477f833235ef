import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';
import { moveAll, type RuleOrder } from '../rule-kinds/rule-order.ts';
import type { RuleId } from '../shared/ids.ts';
import { isJsonObject, type Json, type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import type { ZoneDocument } from './zone-document.ts';

/**
 * Applies a patch from history: a merge patch (RFC 7396), except that the order of a list may be an object that only
 * places single rules (`{id: position}`); removed rules leave the order implicitly.
 */
export function replay(document: ZoneDocument, patch: JsonObject): ZoneDocument {
  const places = new Map(ruleKindNames.flatMap((kind) => placesIn(patch, ruleListNames[kind])));
  const merged = mergePatch(document, withoutPlaces(patch, places));
  if (!isJsonObject(merged)) return {};
  const lists = [...places].flatMap(([member, order]) => {
    const [before, after] = [document[member], merged[member]];
    return isJsonObject(after) ? [[member, { ...after, order: orderAfter(before, after, order) }] as const] : [];
  });
  return { ...merged, ...Object.fromEntries(lists) };
}

/** Where a patch places rules of a list; undefined if it does not touch the order or replaces it. */
function placesIn(patch: JsonObject, member: string): readonly (readonly [member: string, order: JsonObject])[] {
  const list = patch[member];
  if (!isJsonObject(list) || Array.isArray(list['order'])) return [];
  return [[member, isJsonObject(list['order']) ? list['order'] : {}]];
}

const withoutPlaces = (patch: JsonObject, places: ReadonlyMap<string, JsonObject>): JsonObject =>
  Object.fromEntries(
    Object.entries(patch).map(([member, value]) => {
      if (!places.has(member) || !isJsonObject(value)) return [member, value];
      const { order: _, ...others } = value;
      return [member, others];
    }),
  );

function orderAfter(before: Json | undefined, { items }: JsonObject, places: JsonObject): RuleOrder {
  // Orders in history hold only rule ids.
  const ids = isJsonObject(before) && Array.isArray(before['order']) ? (before['order'] as RuleOrder) : [];
  // So do the keys of places.
  const put = Object.entries(places).map(([id, place]) => [id as RuleId, Number(place)] as const);
  return moveAll(
    ids.filter((id) => isJsonObject(items) && Object.hasOwn(items, id)),
    new Map(put),
  );
}

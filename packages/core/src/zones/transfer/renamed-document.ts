import { isJsonList, isJsonObject, type Json, type JsonObject, objectIn } from '../../kernel/shared/json.ts';
import { itemsIn, settingsMember } from '../drafts/zone-contents.ts';
import { ruleKindNames, ruleListNames } from '../rule-kinds/rule-lists.ts';

/** New ids by old id; ids not listed stay unchanged. */
export type Renames = ReadonlyMap<string, string>;

/** The ids of all rules in a zone document. */
export const ruleIdsIn = (zone: JsonObject): readonly string[] =>
  ruleKindNames.flatMap((kind) => Object.keys(itemsIn(zone[ruleListNames[kind]])));

/**
 * A zone document with new ids for rules and for what its settings refer to. Parts of an unexpected shape stay
 * unchanged.
 */
export const renamedDocument = (zone: JsonObject, renames: Renames): JsonObject => ({
  ...zone,
  ...changed(zone, settingsMember, (settings) => renamedSettings(settings, renames)),
  ...Object.assign(
    {},
    ...ruleKindNames.map((kind) => changed(zone, ruleListNames[kind], (list) => renamedList(list, renames))),
  ),
});

/** Changes one member if it is an object. */
const changed = (from: JsonObject, member: string, change: (value: JsonObject) => JsonObject): JsonObject => {
  const value = from[member];
  return isJsonObject(value) ? { [member]: change(value) } : {};
};

const renamed = (id: Json, renames: Renames): Json => (typeof id === 'string' ? (renames.get(id) ?? id) : id);

const renamedEach = (ids: Json | undefined, renames: Renames): Json =>
  isJsonList(ids) ? ids.map((id) => renamed(id, renames)) : (ids ?? null);

const renamedList = (list: JsonObject, renames: Renames): JsonObject => ({
  ...list,
  ...('order' in list ? { order: renamedEach(list['order'], renames) } : {}),
  ...changed(list, 'items', (items) =>
    Object.fromEntries(
      Object.entries(items).map(([id, rule]) => [
        renames.get(id) ?? id,
        {
          ...objectIn(rule),
          ...changed(objectIn(rule), 'settingsOverrides', (settings) => renamedSettings(settings, renames)),
        },
      ]),
    ),
  ),
});

/** Settings refer to backends and basic-auth users. */
const renamedSettings = (settings: JsonObject, renames: Renames): JsonObject => ({
  ...settings,
  ...changed(settings, 'defaultBackend', (backend) =>
    backend['id'] === undefined ? backend : { ...backend, id: renamed(backend['id'], renames) },
  ),
  ...changed(settings, 'basicAuth', (basicAuth) =>
    basicAuth['allowedUserIds'] === undefined
      ? basicAuth
      : { ...basicAuth, allowedUserIds: renamedEach(basicAuth['allowedUserIds'], renames) },
  ),
});

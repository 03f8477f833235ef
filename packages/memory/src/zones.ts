import {
  nameKey,
  offsetOf,
  searchKey,
  storedDocument,
  type Zone,
  type ZoneFilter,
  type ZoneId,
  type ZoneSort,
  type Zones,
  zoneNameTaken,
  zoneNotFound,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import { rulesInOrder } from './configuration-rules.ts';
import type { Unit, ZoneRow } from './tables.ts';

export const memoryZones = ({ tables, now }: Unit): Zones => {
  const { zones, rules, ruleOrders } = tables;
  const row = (id: ZoneId): Result<ZoneRow, ReturnType<typeof zoneNotFound>> => {
    const found = zones.get(id);
    return found === undefined ? err(zoneNotFound()) : ok(found);
  };
  return {
    add: ({ settings, ...zone }) => {
      const taken = [...zones.values()].some(
        (other) =>
          other.organizationId === zone.organizationId &&
          other.tag === zone.tag &&
          nameKey(other.name) === nameKey(zone.name),
      );
      if (taken) return errAsync(zoneNameTaken());
      const stamp = { createdAt: now(), updatedAt: now(), revision: 1 };
      const added: ZoneRow = { ...zone, ...stamp, settings: settings.text, basicAuthUsers: [] };
      zones.set(zone.id, added);
      ruleOrders.set(zone.id, []);
      return okAsync(zoneOf(added));
    },
    list: (filter, sort, page) => {
      const matching = [...zones.values()].filter(matches(filter)).sort(comparison(sort));
      const items = matching.slice(offsetOf(page), offsetOf(page) + page.itemsPerPage).map(zoneOf);
      return okAsync({ items, totalItems: matching.length });
    },
    organizationOf: (id) =>
      row(id)
        .map((zone) => zone.organizationId)
        .asyncAndThen((value) => okAsync(value)),
    withContents: (id) =>
      row(id)
        .map((zone) => ({
          zone: zoneOf(zone),
          configurationRules: rulesInOrder(tables, id),
          basicAuthUserCount: zone.basicAuthUsers.length,
        }))
        .asyncAndThen((value) => okAsync(value)),
    lock: (id) =>
      row(id)
        .map(zoneOf)
        .asyncAndThen((value) => okAsync(value)),
    raiseVersion: (id) => {
      const zone = zones.get(id);
      if (zone !== undefined) zones.set(id, { ...zone, revision: zone.revision + 1 });
      return okAsync();
    },
    remove: (id) => {
      for (const [ruleId, rule] of rules) if (rule.zoneId === id) rules.delete(ruleId);
      ruleOrders.delete(id);
      zones.delete(id);
      return okAsync();
    },
  };
};

const zoneOf = ({ basicAuthUsers: _, settings, ...zone }: ZoneRow): Zone => ({
  ...zone,
  settings: storedDocument(settings),
});

const matches =
  ({ organizations, tags, search }: ZoneFilter) =>
  (zone: ZoneRow): boolean =>
    organizations.includes(zone.organizationId) &&
    (tags.length === 0 || tags.includes(zone.tag)) &&
    (search === undefined || [nameKey(zone.name), zone.id].some((text) => text.includes(searchKey(search))));

const sortValues = {
  name: (zone: ZoneRow) => codePointKey(nameKey(zone.name)),
  tag: (zone: ZoneRow) => zone.tag,
  createdAt: (zone: ZoneRow) => zone.createdAt.getTime(),
  updatedAt: (zone: ZoneRow) => zone.updatedAt.getTime(),
} as const satisfies Record<ZoneSort['key'], (zone: ZoneRow) => string | number>;

/** Sorts by code points, as a database does; strings themselves sort by UTF-16 code units. */
export const codePointKey = (text: string): string =>
  Array.from(text, (character) => (character.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join('');

const comparison =
  (sort: readonly ZoneSort[]) =>
  (a: ZoneRow, b: ZoneRow): number => {
    for (const { key, direction } of sort) {
      const [left, right] = [sortValues[key](a), sortValues[key](b)];
      if (left !== right) return left < right === (direction === 'asc') ? -1 : 1;
    }
    return a.id < b.id ? -1 : 1;
  };

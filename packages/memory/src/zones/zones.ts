import {
  hostNamesTaken,
  nameKey,
  searchKey,
  type Zone,
  type ZoneFilter,
  type ZoneId,
  type ZoneNotFound,
  type ZoneSort,
  type Zones,
  zoneNameTaken,
  zoneNotFound,
} from '@zonewright/core';
import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import { holderOf } from '../organizations/domains.ts';
import { limitsIn } from '../organizations/limit-overrides.ts';
import { zoneCount } from '../organizations/organizations.ts';
import { boundedPageOf, codePointKey } from '../pages.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import type { ZoneRow } from '../tables/zone-rows.ts';
import { removeZone } from './deleted-zones.ts';
import { stateOf, zoneOf } from './zone-states.ts';

export const memoryZones = (unit: Unit): Zones => {
  const { tables, now } = unit;
  const { zones } = tables;
  // At once: a commit could come between two steps.
  const read = <T>(id: ZoneId, of: (zone: ZoneRow) => T): ResultAsync<T, ZoneNotFound> => {
    const zone = zones.get(id);
    return zone === undefined ? errAsync(zoneNotFound()) : okAsync(of(zone));
  };
  return {
    add: ({ settings, claims, ...zone }) => {
      if (isNameTaken(tables, zone)) return errAsync(zoneNameTaken());
      const taken = claims.map(({ name }) => name).filter((name) => holderOf(tables, name) !== undefined);
      if (taken.length > 0) return errAsync(hostNamesTaken(taken));
      const stamp = { createdAt: now(), updatedAt: now(), revision: 1 };
      const added: ZoneRow = { ...zone, ...stamp, settings: settings.text };
      zones.set(zone.id, added);
      return okAsync(zoneOf(added));
    },
    list: (filter, sort, page) =>
      boundedPageOf(sorted(tables, filter, sort).map(zoneOf), page, ({ settings }) => settings).asyncMap(
        async (found) => found,
      ),
    count: (organization) => okAsync(zoneCount(tables, organization)),
    head: (id) =>
      read(id, ({ organizationId, revision }) => ({
        organizationId,
        revision,
        limits: limitsIn(unit, organizationId),
      })),
    state: (id) => read(id, (zone) => stateOf(tables, zone)),
    limitedState: (id) =>
      read(id, (zone) => ({
        state: stateOf(tables, zone),
        limits: limitsIn(unit, zone.organizationId),
      })),
    remove: (id, author) => {
      removeZone(unit, id, author);
      return okAsync();
    },
  };
};

/** Whether another zone of the organization has the name and tag. */
export const isNameTaken = (
  { zones }: Tables,
  { id, organizationId, name, tag }: Pick<Zone, 'id' | 'organizationId' | 'name' | 'tag'>,
): boolean =>
  [...zones.values()].some(
    (other) =>
      other.id !== id &&
      other.organizationId === organizationId &&
      other.tag === tag &&
      nameKey(other.name) === nameKey(name),
  );

const sorted = ({ zones }: Tables, filter: ZoneFilter, sort: readonly ZoneSort[]) =>
  [...zones.values()].filter(matches(filter)).sort(comparison(sort));

const matches =
  ({ organizations, zones, tags, search, hostname }: ZoneFilter) =>
  (zone: ZoneRow): boolean =>
    organizations.includes(zone.organizationId) &&
    (zones?.includes(zone.id) ?? true) &&
    (tags.length === 0 || tags.includes(zone.tag)) &&
    (hostname === undefined || zone.hostnames.includes(hostname)) &&
    (search === undefined || [nameKey(zone.name), zone.id].some((text) => text.includes(searchKey(search))));

const sortValues = {
  name: (zone: ZoneRow) => codePointKey(nameKey(zone.name)),
  tag: (zone: ZoneRow) => zone.tag,
  createdAt: (zone: ZoneRow) => zone.createdAt.getTime(),
  updatedAt: (zone: ZoneRow) => zone.updatedAt.getTime(),
} as const satisfies Record<ZoneSort['key'], (zone: ZoneRow) => string | number>;

const comparison =
  (sort: readonly ZoneSort[]) =>
  (a: ZoneRow, b: ZoneRow): number => {
    for (const { key, direction } of sort) {
      const [left, right] = [sortValues[key](a), sortValues[key](b)];
      if (left !== right) return left < right === (direction === 'asc') ? -1 : 1;
    }
    return a.id < b.id ? -1 : 1;
  };

import {
  nameKey,
  type OrganizationId,
  type OwnZones,
  searchKey,
  storedDocument,
  type Zone,
  type ZoneFilter,
  type ZoneId,
  type ZoneSort,
  type ZoneState,
  type Zones,
  zoneNameTaken,
  zoneNotFound,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import { callerBy } from './callers.ts';
import { boundedPageOf, pageOf } from './pages.ts';
import { rulesOfZone } from './rules.ts';
import type { Tables, Unit, ZoneRow } from './tables.ts';

export const memoryZones = (unit: Unit): Zones => {
  const { tables, now } = unit;
  const { zones, rules, ruleOrders, basicAuthUsers, revisions } = tables;
  const row = (id: ZoneId): Result<ZoneRow, ReturnType<typeof zoneNotFound>> => {
    const found = zones.get(id);
    return found === undefined ? err(zoneNotFound()) : ok(found);
  };
  return {
    add: ({ settings, ...zone }) => {
      if (isTaken(tables, zone)) return errAsync(zoneNameTaken());
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
    organizationOf: (id) =>
      row(id)
        .map((zone) => zone.organizationId)
        .asyncAndThen((value) => okAsync(value)),
    head: (id) =>
      row(id)
        .map(({ organizationId, revision }) => ({ organizationId, revision }))
        .asyncAndThen((value) => okAsync(value)),
    withContents: (id) =>
      row(id)
        .map((zone) => ({
          zone: zoneOf(zone),
          rules: rulesOfZone(tables, id),
          basicAuthUserCount: [...basicAuthUsers.values()].filter(({ zoneId }) => zoneId === id).length,
        }))
        .asyncAndThen((value) => okAsync(value)),
    lock: (id) =>
      row(id)
        .map(zoneOf)
        .asyncAndThen((value) => okAsync(value)),
    ...zoneChanges(unit),
    remove: (id) => {
      for (const [ruleId, rule] of rules) if (rule.zoneId === id) rules.delete(ruleId);
      for (const [key, list] of ruleOrders) if (list.zone === id) ruleOrders.delete(key);
      for (const [userId, user] of basicAuthUsers) if (user.zoneId === id) basicAuthUsers.delete(userId);
      revisions.delete(id);
      zones.delete(id);
      return okAsync();
    },
  };
};

/** Number of zones of an organization. */
export const zoneCount = ({ zones }: Tables, organization: OrganizationId): number =>
  [...zones.values()].filter(({ organizationId }) => organizationId === organization).length;

export const memoryOwnZones = (unit: Unit): OwnZones => {
  const { tables } = unit;
  return {
    states: (credential, { organization, roles, ...filter }, sort, page) =>
      callerBy(unit, credential).asyncMap(async (caller) => {
        const lent = [...caller.memberships].filter(
          ([id, { role }]) => roles.includes(role) && (organization === undefined || id === organization),
        );
        const organizations = lent.flatMap(([id, { needsTwoFactor }]) => (needsTwoFactor ? [] : [id]));
        const { items, totalItems } = pageOf(sorted(tables, { ...filter, organizations }, sort), page);
        const isShown = new Set([organization, ...items.map(({ organizationId }) => organizationId)]);
        const memberships = new Map(lent.filter(([id]) => isShown.has(id)));
        return { caller: { ...caller, memberships }, found: { states: items.map(stateOf), totalItems } };
      }),
    read: (states) => {
      const found = states.flatMap(({ id }) => tables.zones.get(id) ?? []).map(zoneOf);
      const page = { page: 1, itemsPerPage: found.length };
      return boundedPageOf(found, page, ({ settings }) => settings).asyncMap(async ({ items }) => items);
    },
    state: (credential, id) =>
      callerBy(unit, credential).asyncMap(async (caller) => {
        const zone = tables.zones.get(id);
        const memberships = [...caller.memberships].filter(([organization]) => organization === zone?.organizationId);
        return { caller: { ...caller, memberships: new Map(memberships) }, found: zone && stateOf(zone) };
      }),
    contents: ({ id }) => memoryZones(unit).withContents(id),
  };
};

/** Everything that changes a zone that is there. */
const zoneChanges = ({
  tables,
  now,
}: Unit): Pick<Zones, 'nameIsTaken' | 'rename' | 'saveSettings' | 'setBanToken' | 'raiseVersion'> => {
  const { zones } = tables;
  const change = (id: ZoneId, members: Partial<ZoneRow>): void => {
    const zone = zones.get(id);
    if (zone !== undefined) zones.set(id, { ...zone, ...members });
  };
  return {
    nameIsTaken: (zone) => okAsync(isTaken(tables, zone)),
    rename: (id, names) => {
      const zone = zones.get(id);
      if (zone === undefined) return okAsync();
      if (isTaken(tables, { ...zone, ...names })) return errAsync(zoneNameTaken());
      change(id, { ...names, updatedAt: now() });
      return okAsync();
    },
    saveSettings: (id, settings) => {
      change(id, { settings: settings.text, updatedAt: now() });
      return okAsync();
    },
    setBanToken: (id, banToken) => {
      change(id, { banToken, updatedAt: now() });
      return okAsync();
    },
    raiseVersion: (id) => {
      const revision = (zones.get(id)?.revision ?? 0) + 1;
      change(id, { revision });
      const { replayBytes = 0 } = tables.revisions.get(id)?.find(({ number }) => number === revision - 1) ?? {};
      return okAsync({ revision, replayBytes });
    },
  };
};

const isTaken = (
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

const zoneOf = ({ settings, ...zone }: ZoneRow): Zone => ({
  ...zone,
  settings: storedDocument(settings),
});

const sorted = ({ zones }: Tables, filter: ZoneFilter, sort: readonly ZoneSort[]) =>
  [...zones.values()].filter(matches(filter)).sort(comparison(sort));

const stateOf = ({ id, organizationId, revision }: ZoneRow): ZoneState => ({
  id,
  organizationId,
  state: String(revision),
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

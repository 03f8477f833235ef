import {
  type DeletedZone,
  type DeletedZones,
  deletedZoneLifetimeSeconds,
  deletedZoneNotFound,
  nameKey,
  type OrganizationId,
  ruleIdTaken,
  ruleKindNames,
  searchKey,
  type UserId,
  type ZoneId,
  type ZoneState,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import { lends } from './change-sets.ts';
import { pageOf } from './pages.ts';
import { secondsAfter } from './seconds-after.ts';
import type { Tables, Unit } from './tables.ts';
import type { DeletedZoneRow } from './zone-rows.ts';
import { listKey, stateOf } from './zone-states.ts';

export const memoryDeletedZones = ({ tables, now }: Unit): DeletedZones => {
  const { deletedZones } = tables;
  const rowOf = (
    organization: OrganizationId,
    id: ZoneId,
  ): Result<DeletedZoneRow, ReturnType<typeof deletedZoneNotFound>> => {
    const row = deletedZones.get(id);
    const exists = row?.zone.organizationId === organization && row.expiresAt > now();
    return exists ? ok(row) : err(deletedZoneNotFound());
  };
  return {
    list: ({ organization, zones, search = '' }, page) => {
      const matches = [...deletedZones.values()]
        .filter(({ zone: { id } }) => rowOf(organization, id).isOk() && (zones?.includes(id) ?? true))
        .filter(({ zone: { id, name } }) => [nameKey(name), id].some((text) => text.includes(searchKey(search))))
        .toSorted(
          (one, other) => Number(other.deletedAt) - Number(one.deletedAt) || (one.zone.id < other.zone.id ? 1 : -1),
        );
      return okAsync(pageOf(matches.map(deletedZoneOf), page));
    },
    byId: (organization, id) =>
      rowOf(organization, id)
        .map(deletedZoneOf)
        .asyncMap(async (zone) => zone),
    state: (organization, id) =>
      rowOf(organization, id)
        .map(stateOfDeleted)
        .asyncMap(async (state) => state),
    revive: (organization, id) => {
      const row = rowOf(organization, id);
      if (row.isErr()) return errAsync(row.error);
      const { zone, rules, lists, users } = row.value;
      if (rules.some((rule) => tables.rules.has(rule.id))) return errAsync(ruleIdTaken());
      tables.zones.set(id, { ...zone, banToken: id });
      for (const rule of rules) tables.rules.set(rule.id, rule);
      for (const [kind, revision] of lists) tables.ruleLists.set(listKey({ zone: id, kind }), revision);
      for (const user of users) tables.basicAuthUsers.set(user.id, user);
      deletedZones.delete(id);
      return okAsync();
    },
  };
};

const deletedZoneOf = ({ zone, rules: _, lists: __, users: ___, ...row }: DeletedZoneRow): DeletedZone => ({
  id: zone.id,
  organizationId: zone.organizationId,
  name: zone.name,
  tag: zone.tag,
  revision: zone.revision,
  ...row,
});

/** The state that a revived zone has. */
function stateOfDeleted({ zone, rules, lists, users }: DeletedZoneRow): ZoneState {
  const { id } = zone;
  const tables = {
    rules: new Map(rules.map((rule) => [rule.id, rule])),
    ruleLists: new Map(lists.map(([kind, revision]) => [listKey({ zone: id, kind }), revision])),
    basicAuthUsers: new Map(users.map((user) => [user.id, user])),
  };
  return stateOf(tables, { ...zone, banToken: id });
}

/** Moves a zone with everything in it to the deleted ones. */
export function removeZone({ tables, now }: Unit, id: ZoneId, deletedBy: UserId | undefined): void {
  const removed = tables.zones.get(id);
  if (removed === undefined) return;
  const { banToken: _, ...zone } = removed;
  const [rules, users] = [
    [...tables.rules.values()].filter(({ zoneId }) => zoneId === id),
    [...tables.basicAuthUsers.values()].filter(({ zoneId }) => zoneId === id),
  ];
  const lists = ruleKindNames.flatMap((kind) => {
    const revision = tables.ruleLists.get(listKey({ zone: id, kind }));
    return revision === undefined ? [] : [[kind, revision] as const];
  });
  const stamps = { deletedAt: now(), deletedBy, expiresAt: secondsAfter(now(), deletedZoneLifetimeSeconds) };
  tables.deletedZones.set(id, { zone, rules, lists, users, ...stamps });
  tables.zones.delete(id);
  for (const rule of rules) tables.rules.delete(rule.id);
  for (const [kind] of lists) tables.ruleLists.delete(listKey({ zone: id, kind }));
  for (const user of users) tables.basicAuthUsers.delete(user.id);
}

/** Removes the deleted zones of an organization with their history. */
export function removeDeletedZones(tables: Tables, organization: OrganizationId): void {
  for (const [id, { zone }] of tables.deletedZones)
    if (zone.organizationId === organization) forgetDeletedZone(tables, id);
}

/** Removes a deleted zone; with its history, unless change sets of other zones need that (see `removeExpired`). */
export function forgetDeletedZone(tables: Tables, id: ZoneId): void {
  const { deletedZones, revisions, changeSets, promotions } = tables;
  deletedZones.delete(id);
  for (const [set, { zoneId }] of changeSets) if (zoneId === id) changeSets.delete(set);
  for (const [promotion, { zoneId }] of promotions) if (zoneId === id) promotions.delete(promotion);
  if (!lends(tables, id)) revisions.delete(id);
}

import {
  type DeletedZone,
  type DeletedZones,
  deletedZoneLifetimeSeconds,
  deletedZoneNotFound,
  nameKey,
  type OrganizationId,
  searchKey,
  type UserId,
  unreadableBanToken,
  type ZoneId,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import { pageOf } from '../pages.ts';
import { secondsAfter } from '../seconds-after.ts';
import type { Unit } from '../tables/tables.ts';
import type { DeletedZoneRow } from '../tables/zone-rows.ts';
import { stateOf } from './zone-states.ts';

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
        .map(({ zone }) => stateOf(tables, zone))
        .asyncMap(async (state) => state),
    revive: (organization, id) => {
      const row = rowOf(organization, id);
      if (row.isErr()) return errAsync(row.error);
      tables.zones.set(id, row.value.zone);
      deletedZones.delete(id);
      return okAsync();
    },
  };
};

const deletedZoneOf = ({ zone, ...row }: DeletedZoneRow): DeletedZone => ({
  id: zone.id,
  organizationId: zone.organizationId,
  name: zone.name,
  tag: zone.tag,
  revision: zone.revision,
  ...row,
});

/** Moves a zone to the deleted ones. */
export function removeZone({ tables, now }: Unit, id: ZoneId, deletedBy: UserId | undefined): void {
  const zone = tables.zones.get(id);
  if (zone === undefined) return;
  const stamps = { deletedAt: now(), deletedBy, expiresAt: secondsAfter(now(), deletedZoneLifetimeSeconds) };
  tables.deletedZones.set(id, { zone: { ...zone, banToken: unreadableBanToken }, ...stamps });
  tables.zones.delete(id);
}

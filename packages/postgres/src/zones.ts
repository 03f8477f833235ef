import {
  maxPageTextBytes,
  type NextRevision,
  nameKey,
  type OrganizationId,
  offsetOf,
  searchKey,
  type Zone,
  type ZoneHead,
  type Zones,
  zoneNameTaken,
  zoneNotFound,
} from '@zonewright/core';
import { okAsync, ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { brokenUniqueConstraint } from './failures.ts';
import { containing } from './like.ts';
import { many, one, required, run, type SizedRow, withinPageSize } from './query.ts';
import { sql, zoneList, zoneTotal } from './sql.ts';
import { zoneWithContents } from './zone-contents.ts';
import { type ZoneRow, zoneOf } from './zone-row.ts';

/** Every row says how many there are on all pages. */
type ListedRow = ZoneRow & SizedRow & { readonly totalItems: number };
type NotFound = ReturnType<typeof zoneNotFound>;

export const postgresZones = (on: Connection): Zones => ({
  add: (zone) =>
    required<Pick<Zone, 'createdAt' | 'updatedAt' | 'revision'>, ReturnType<typeof zoneNameTaken>>(
      on,
      sql.zones.add,
      { ...zone, nameKey: nameKey(zone.name), settings: zone.settings.text },
      zoneNameTaken,
    ).map((stamp) => ({ ...zone, ...stamp })),
  list: ({ organizations, tags, search }, sort, page) => {
    const conditions = { byTag: tags.length > 0, bySearch: search !== undefined };
    const filter = { organizations, tags, pattern: search === undefined ? '' : containing(searchKey(search)) };
    const window = { limit: page.itemsPerPage, offset: offsetOf(page), maxBytes: maxPageTextBytes };
    return many<ListedRow>(on, zoneList(sort, conditions), { ...filter, ...window })
      .andThen(withinPageSize)
      .andThen((rows) => {
        const items = rows.map(({ totalItems: _, bytes: __, ...row }) => zoneOf(row));
        const [first] = rows;
        return first === undefined
          ? one<{ total: number }>(on, zoneTotal(conditions), filter).map(({ total }) => ({ items, totalItems: total }))
          : okAsync({ items, totalItems: first.totalItems });
      });
  },
  count: (organization) => one<{ total: number }>(on, sql.zones.count, { organization }).map(({ total }) => total),
  organizationOf: (id) =>
    required<{ organizationId: OrganizationId }, NotFound>(on, sql.zones.organizationOf, { id }, zoneNotFound).map(
      ({ organizationId }) => organizationId,
    ),
  head: (id) => required<ZoneHead, NotFound>(on, sql.zones.head, { id }, zoneNotFound),
  withContents: (id) => zoneWithContents(on, id),
  lock: (id) => required<ZoneRow, NotFound>(on, sql.zones.lock, { id }, zoneNotFound).map(zoneOf),
  nameIsTaken: ({ id, organizationId, name, tag }) =>
    one<{ isTaken: boolean }>(on, sql.zones.nameIsTaken, { id, organizationId, nameKey: nameKey(name), tag }).map(
      ({ isTaken }) => isTaken,
    ),
  rename: (id, { name, tag }) =>
    ResultAsync.fromPromise(on.none(sql.zones.rename.prepared({ id, name, nameKey: nameKey(name), tag })), (error) => {
      if (brokenUniqueConstraint(error) === 'zones_name_unique') return zoneNameTaken();
      throw error;
    }).map(() => undefined),
  saveSettings: (id, { text }) => run(on, sql.zones.saveSettings, { id, settings: text }),
  setBanToken: (id, banToken) => run(on, sql.zones.setBanToken, { id, banToken }),
  raiseVersion: (id) => one<NextRevision>(on, sql.zones.raiseVersion, { id }),
  remove: (id) => run(on, sql.zones.remove, { id }),
});

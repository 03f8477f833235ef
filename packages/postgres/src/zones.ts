import {
  type ConfigurationRule,
  nameKey,
  type OrganizationId,
  offsetOf,
  searchKey,
  storedDocument,
  type UserId,
  type Zone,
  type Zones,
  zoneNameTaken,
  zoneNotFound,
} from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import { allRules } from './configuration-rules.ts';
import type { Connection } from './database.ts';
import { containing } from './like.ts';
import { many, one, required, run } from './query.ts';
import { sql, zoneList, zoneTotalMatching } from './sql.ts';

type ZoneRow = Omit<Zone, 'settings' | 'createdBy'> & { readonly settings: string; readonly createdBy: UserId | null };
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
    const pattern = search === undefined ? '' : containing(searchKey(search));
    const filter = { organizations, tags, pattern };
    const window = { limit: page.itemsPerPage, offset: offsetOf(page) };
    const total = search === undefined ? sql.zones.total : zoneTotalMatching();
    return ResultAsync.combine([
      many<ZoneRow>(on, zoneList(sort, search !== undefined), { ...filter, ...window }),
      one<{ total: number }>(on, total, filter),
    ]).map(([rows, { total: totalItems }]) => ({ items: rows.map(zoneOf), totalItems }));
  },
  organizationOf: (id) =>
    required<{ organizationId: OrganizationId }, NotFound>(on, sql.zones.organizationOf, { id }, zoneNotFound).map(
      ({ organizationId }) => organizationId,
    ),
  // The zone is read first: what is read after it may be newer than its revision, never older.
  withContents: (id) =>
    required<ZoneRow & { basicAuthUserCount: number }, NotFound>(on, sql.zones.byId, { id }, zoneNotFound).andThen(
      ({ basicAuthUserCount, ...row }) =>
        allRules(on, id).map((configurationRules: readonly ConfigurationRule[]) => ({
          zone: zoneOf(row),
          configurationRules,
          basicAuthUserCount,
        })),
    ),
  lock: (id) => required<ZoneRow, NotFound>(on, sql.zones.lock, { id }, zoneNotFound).map(zoneOf),
  raiseVersion: (id) => run(on, sql.zones.raiseVersion, { id }),
  remove: (id) => run(on, sql.zones.remove, { id }),
});

const zoneOf = ({ settings, createdBy, ...row }: ZoneRow): Zone => ({
  ...row,
  createdBy: createdBy ?? undefined,
  settings: storedDocument(settings),
});

import {
  type NextRevision,
  nameKey,
  type OrganizationId,
  type Zone,
  type ZoneHead,
  type Zones,
  zoneNameTaken,
  zoneNotFound,
} from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { brokenUniqueConstraint } from './failures.ts';
import { type ZoneMemory, zonePage } from './own-zones.ts';
import { one, required, run } from './query.ts';
import { sql } from './sql.ts';
import { zoneContents } from './zone-contents.ts';
import { type ZoneRow, zoneOf } from './zone-row.ts';

type NotFound = ReturnType<typeof zoneNotFound>;

export const postgresZones = (on: Connection, memory: ZoneMemory): Zones => ({
  add: (zone) =>
    required<Pick<Zone, 'createdAt' | 'updatedAt' | 'revision'>, ReturnType<typeof zoneNameTaken>>(
      on,
      sql.zones.add,
      { ...zone, nameKey: nameKey(zone.name), settings: zone.settings.text },
      zoneNameTaken,
    ).map((stamp) => ({ ...zone, ...stamp })),
  list: (filter, sort, page) => zonePage(on, memory, filter, sort, page),
  count: (organization) => one<{ total: number }>(on, sql.zones.count, { organization }).map(({ total }) => total),
  organizationOf: (id) =>
    required<{ organizationId: OrganizationId }, NotFound>(on, sql.zones.organizationOf, { id }, zoneNotFound).map(
      ({ organizationId }) => organizationId,
    ),
  head: (id) => required<ZoneHead, NotFound>(on, sql.zones.head, { id }, zoneNotFound),
  withContents: (id) => zoneContents(on, id).map(({ contents }) => contents),
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

import { nameKey, type Zone, type ZoneHead, type Zones, zoneNameTaken, zoneNotFound } from '@zonewright/core';
import type { StoredLimits } from './limits.ts';
import type { OrganizationRow } from './organizations.ts';
import { type ZoneSources, zonePage } from './own-zones.ts';
import { one, required, run } from './query.ts';
import { sql } from './sql.ts';
import { readOwnState, readState } from './zone-states.ts';

type NotFound = ReturnType<typeof zoneNotFound>;
type HeadRow = Omit<ZoneHead, 'limits'> & Pick<OrganizationRow, 'ownLimits'>;

export const postgresZones = ({ on, cache, standby }: ZoneSources, limits: StoredLimits): Zones => ({
  add: (zone) =>
    required<Pick<Zone, 'createdAt' | 'updatedAt' | 'revision'>, ReturnType<typeof zoneNameTaken>>(
      on,
      sql.zones.add,
      {
        ...zone,
        nameKey: nameKey(zone.name),
        settings: zone.settings.text,
        backend: zone.settings.value.defaultBackend?.id ?? null,
      },
      zoneNameTaken,
    ).map((stamp) => ({ ...zone, ...stamp })),
  list: (filter, sort, page) => zonePage({ on, cache, standby }, filter, sort, page),
  count: (organization) => one<{ total: number }>(on, sql.zones.count, { organization }).map(({ total }) => total),
  head: (id) =>
    required<HeadRow, NotFound>(on, sql.zones.head, { id }, zoneNotFound).map(({ ownLimits, ...head }) => ({
      ...head,
      limits: limits.with(ownLimits),
    })),
  state: (id) => readState(on, cache, id),
  limitedState: (id) =>
    readOwnState(on, cache, id).map(({ state, own }) => ({ state, limits: limits.with(own.ownLimits) })),
  remove: (id, author) => run(on, sql.zones.remove, { id, author: author ?? null }),
});

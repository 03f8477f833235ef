import {
  nameKey,
  type UsageLimits,
  type Zone,
  type ZoneHead,
  type Zones,
  zoneNameTaken,
  zoneNotFound,
} from '@zonewright/core';
import type { Connection } from './database.ts';
import { zonePage } from './own-zones.ts';
import { one, required, run } from './query.ts';
import { sql } from './sql.ts';
import type { ZoneMemory } from './zone-memory.ts';
import { readState } from './zone-states.ts';

type NotFound = ReturnType<typeof zoneNotFound>;

export const postgresZones = (on: Connection, memory: ZoneMemory, limits: UsageLimits): Zones => ({
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
  list: (filter, sort, page) => zonePage(on, memory, filter, sort, page),
  count: (organization) => one<{ total: number }>(on, sql.zones.count, { organization }).map(({ total }) => total),
  head: (id) =>
    required<Omit<ZoneHead, 'limits'>, NotFound>(on, sql.zones.head, { id }, zoneNotFound).map((head) => ({
      ...head,
      limits,
    })),
  state: (id) => readState(on, memory, id),
  limitedState: (id) => readState(on, memory, id).map((state) => ({ state, limits })),
  remove: (id, author) => run(on, sql.zones.remove, { id, author: author ?? null }),
});

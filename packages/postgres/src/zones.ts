import {
  deletedZoneLifetimeSeconds,
  nameKey,
  type Zone,
  type ZoneId,
  type ZoneNotFound,
  type ZoneState,
  type Zones,
  zoneNameTaken,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { StoredLimits } from './limits.ts';
import { one, required, run } from './query.ts';
import { sql } from './sql.ts';
import { readHead } from './zone-heads.ts';
import { listZones, type ZoneSources } from './zone-list.ts';
import { readOwnState, readState, suppliedState } from './zone-states.ts';

/** Zones over one connection, and what a session has read ahead of them. */
export const postgresZones = (sources: ZoneSources, limits: StoredLimits): Zones => {
  const { on, ahead } = sources;
  return {
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
    list: (filter, sort, page) => listZones(sources, filter, sort, page),
    count: (organization) => one<{ total: number }>(on, sql.zones.count, { organization }).map(({ total }) => total),
    head: (id) => {
      const read = ahead.peek('zone');
      return read?.id === id && read.head !== undefined ? okAsync(read.head) : readHead(on, limits, id);
    },
    state: (id) => {
      const read = ahead.take('zone');
      return read?.id === id && read.head !== undefined
        ? stateInVersion(sources, id, read.head.version)
        : readState(sources, id);
    },
    limitedState: (id) =>
      readOwnState(sources, id).map(({ state, own }) => ({ state, limits: limits.with(own.ownLimits) })),
    remove: (id, author) =>
      run(on, sql.zones.remove, { id, author: author ?? null, lifetimeSeconds: deletedZoneLifetimeSeconds }),
  };
};

/** The state of a zone in the given version or a later one, from the cache or the standby if they have it. */
function stateInVersion(sources: ZoneSources, id: ZoneId, version: string): ResultAsync<ZoneState, ZoneNotFound> {
  const { cache, standby } = sources;
  const cached = cache.states.get(id);
  if (cached?.version === version) return okAsync(cached.state);
  return suppliedState(standby, cache, { id, version }).andThen(
    (supplied): ResultAsync<ZoneState, ZoneNotFound> =>
      supplied === undefined ? readState(sources, id) : okAsync(supplied),
  );
}

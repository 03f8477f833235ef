import {
  deletedZoneLifetimeSeconds,
  type HostName,
  type HostNamesTaken,
  hostNamesTaken,
  nameKey,
  newNames,
  type Zone,
  type ZoneId,
  type ZoneNameTaken,
  type ZoneNotFound,
  type ZoneState,
  type Zones,
  zoneNameTaken,
} from '@zonewright/core';
import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import { required, run, value } from '../connection/query.ts';
import type { StoredLimits } from '../organizations/limits.ts';
import { sql } from '../sql.ts';
import { banTokenColumns } from './ban-tokens.ts';
import { claimValues } from './host-name-facts.ts';
import { readHead } from './zone-heads.ts';
import { listZones, type ZoneSources } from './zone-list.ts';
import { readOwnState, readState } from './zone-states.ts';

/** A new zone, with those of its host names that no other zone has. */
interface AddedRow extends Pick<Zone, 'createdAt' | 'updatedAt' | 'revision'> {
  readonly claimed: readonly HostName[];
}

/** Zones over one connection, and what a session has read ahead of them. */
export const postgresZones = (sources: ZoneSources, limits: StoredLimits): Zones => {
  const { on, ahead } = sources;
  return {
    add: (zone) => addZone(sources, zone),
    list: (filter, sort, page) => listZones(sources, filter, sort, page),
    count: (organization) => value<number>(on, sql.zones.count, { organization }),
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

/** Adds a zone, unless another one has its name or one of its host names. */
const addZone = (
  { on, banTokens }: ZoneSources,
  { claims, ...zone }: Parameters<Zones['add']>[0],
): ResultAsync<Zone, ZoneNameTaken | HostNamesTaken> =>
  required<AddedRow>(on, sql.zones.add, {
    ...zone,
    ...claimValues(claims),
    ...banTokenColumns(banTokens, zone.id, zone.banToken),
    nameKey: nameKey(zone.name),
    settings: zone.settings.text,
    backend: zone.settings.value.defaultBackend?.id ?? null,
  })
    .mapErr(zoneNameTaken)
    .andThen(({ claimed, ...stamp }): Result<Zone, HostNamesTaken> => {
      const taken = newNames(
        claims.map(({ name }) => name),
        claimed,
      );
      return taken.length > 0 ? err(hostNamesTaken(taken)) : ok({ ...zone, ...stamp });
    });

/** The state of a zone in the given version, from the cache, or in a later one. */
function stateInVersion(sources: ZoneSources, id: ZoneId, version: string): ResultAsync<ZoneState, ZoneNotFound> {
  const cached = sources.cache.states.get(id);
  return cached?.version === version ? okAsync(cached.state) : readState(sources, id);
}

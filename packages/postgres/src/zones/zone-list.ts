import {
  checkPageSize,
  maxPageTextBytes,
  type Page,
  type PageRequest,
  type PageTooLarge,
  type Zone,
  type ZoneFilter,
  type ZoneId,
  type ZoneSort,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import { rowsWithin } from '../connection/long-texts.ts';
import { many, type SizedRow } from '../connection/query.ts';
import type { ReadAhead, ReadAheadSlot } from '../session/read-ahead.ts';
import { sql } from '../sql.ts';
import type { CachedZone, ZoneVersion } from './zone-cache.ts';
import { pageOfOrganizations } from './zone-pages.ts';
import { type ZoneRow, zoneOf } from './zone-row.ts';
import type { StateSources } from './zone-states.ts';

/** Estimated bytes of a cached text, including what is derived from it for responses. */
const bytesFor = (text: number): number => 2 * text + 1000;

/** Sources of zones: the database decides which zones there are. */
export interface ZoneSources extends StateSources {
  readonly ahead: ReadAheadSlot;
}

/** A page of the zones of some organizations: its members are always queried, their contents are cached. */
export const listZones = (
  sources: ZoneSources,
  filter: ZoneFilter,
  sort: readonly ZoneSort[],
  page: PageRequest,
): ResultAsync<Page<Zone>, PageTooLarge> => {
  const ahead = sources.ahead.take('zone list');
  const versions =
    ahead !== undefined && isPageOf(ahead, filter, sort, page)
      ? okAsync(ahead.page)
      : pageOfOrganizations(sources.on, filter, sort, page);
  return versions.andThen(({ zones, totalItems }) =>
    readVersions(sources, zones).map((items) => ({ items, totalItems })),
  );
};

/** Whether the page that was read ahead is the requested one. */
const isPageOf = (
  { query, organizations, zones }: Extract<ReadAhead, { kind: 'zone list' }>,
  filter: ZoneFilter,
  sort: readonly ZoneSort[],
  { page, itemsPerPage }: PageRequest,
): boolean =>
  JSON.stringify([
    organizations,
    zones,
    query.tags,
    query.search,
    query.hostname,
    query.sort,
    query.page,
    query.itemsPerPage,
  ]) ===
  JSON.stringify([
    filter.organizations,
    filter.zones,
    filter.tags,
    filter.search,
    filter.hostname,
    sort,
    page,
    itemsPerPage,
  ]);

type ReadRow = ZoneRow & SizedRow & { readonly version: string };

const nameOf = ({ id, version }: Pick<ZoneVersion, 'id' | 'version'>): string => `${id} ${version}`;

/** Zones in the given versions, from the cache or else in their current version; zones deleted meanwhile are missing. */
function readVersions(
  sources: ZoneSources,
  versions: readonly ZoneVersion[],
): ResultAsync<readonly Zone[], PageTooLarge> {
  const read = new Map<ZoneId, CachedZone>();
  for (const version of versions) {
    const cached = sources.cache.zones.get(nameOf(version));
    if (cached !== undefined) read.set(version.id, cached);
  }
  const missing = versions.filter(({ id }) => !read.has(id));
  const ids = missing.map(({ id }) => id);
  const reading = (maxBytes: number) =>
    ids.length === 0 ? okAsync([]) : many<ReadRow>(sources.on, sql.zones.read, { ids, maxBytes });
  return rowsWithin(sources.reserveFor?.(undefined), maxPageTextBytes, reading).andThen((rows) => {
    const sizes = new Map(rows.map(({ id, bytes }) => [id, bytes]));
    const present = versions.filter(({ id }) => read.has(id) || sizes.has(id));
    return checkPageSize(present.map(({ id }) => read.get(id)?.bytes ?? sizes.get(id) ?? 0)).map(() => {
      for (const row of rows) read.set(row.id, rememberedZone(sources, row));
      return present.flatMap(({ id }) => read.get(id)?.zone ?? []);
    });
  });
}

function rememberedZone({ cache: { zones }, banTokens }: ZoneSources, { bytes, version, ...row }: ReadRow): CachedZone {
  const cached = { zone: zoneOf(banTokens, row), bytes };
  zones.set(nameOf({ id: row.id, version }), cached, bytesFor(bytes));
  return cached;
}

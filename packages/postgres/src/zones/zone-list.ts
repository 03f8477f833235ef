import {
  type CallerError,
  checkPageSize,
  type ListZonesQuery,
  maxPageTextBytes,
  type OrganizationId,
  type Page,
  type PageRequest,
  type PageTooLarge,
  type PlausibleCredential,
  type Zone,
  type ZoneFilter,
  type ZoneId,
  type ZoneSort,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import { type AuthenticatedRow, authenticatedIn, type CallerRow, credentialValues } from '../accounts/callers.ts';
import type { Connection } from '../connection/database.ts';
import { rowsWithin } from '../connection/long-texts.ts';
import { many, maybe, one, type SizedRow } from '../connection/query.ts';
import type { ReadAhead, ReadAheadSlot, ZoneVersion, ZoneVersionPage } from '../read-ahead.ts';
import { sql } from '../sql.ts';
import type { CachedZone } from './zone-cache.ts';
import { zoneListStatement } from './zone-list-statement.ts';
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

/** The zones as text: `id organization version`, separated by commas; null for an empty page. */
interface PageRow {
  readonly totalItems: number;
  readonly versions: string | null;
}

/** A page of the zones of given organizations. */
function pageOfOrganizations(
  on: Connection,
  { organizations, zones, ...criteria }: ZoneFilter,
  sort: readonly ZoneSort[],
  page: PageRequest,
): ResultAsync<ZoneVersionPage, never> {
  const { statement, values } = zoneListStatement(criteria, sort, page);
  const given = { ...credentialValues(undefined), organization: null, organizations, zones: zones ?? null };
  return one<PageRow>(on, statement, { ...given, ...values }).map(pageIn);
}

/** A page of the zones of a caller's organizations whose two-factor requirement they meet, with the caller. */
export function pageOfCaller(
  on: Connection,
  credential: PlausibleCredential,
  { organization, sort, tags, search, hostname, ...page }: ListZonesQuery,
): ResultAsync<AuthenticatedRow<CallerRow & { readonly page: ZoneVersionPage }>, CallerError> {
  const { statement, values } = zoneListStatement({ tags, search, hostname }, sort, page);
  const given = { organization: organization ?? null, organizations: [], zones: null };
  const reading = maybe<(CallerRow & PageRow) | { readonly userId: null }>(on, statement, {
    ...credentialValues(credential),
    ...given,
    ...values,
  });
  // Without a live credential the row is nobody's.
  const row = reading.map((read) =>
    read === undefined || read.userId === null ? undefined : { ...read, page: pageIn(read) },
  );
  return authenticatedIn(on, credential, row);
}

const pageIn = ({ versions, totalItems }: PageRow): ZoneVersionPage => ({
  zones: versions === null ? [] : versions.split(',').map(zoneVersion),
  totalItems,
});

function zoneVersion(text: string): ZoneVersion {
  // The statement separates three parts by spaces.
  const [id, organization, version] = text.split(' ') as [ZoneId, string, string];
  // The second part is an organization id.
  return { id, organizationId: Number(organization) as OrganizationId, version };
}

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

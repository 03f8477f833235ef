import {
  checkPageSize,
  maxPageTextBytes,
  type OrganizationId,
  type OwnZones,
  offsetOf,
  type Page,
  type PageRequest,
  type PageTooLarge,
  type Role,
  searchKey,
  type Zone,
  type ZoneFilter,
  type ZoneId,
  type ZoneNotFound,
  type ZoneSort,
  type ZoneState,
  type ZoneStateId,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import { authenticated, type CallerRow, credentialValues, withMemberships } from './callers.ts';
import type { Connection } from './database.ts';
import { substringPattern } from './like-pattern.ts';
import type { StoredLimits } from './limits.ts';
import type { OrganizationRow } from './organizations.ts';
import { many, one, type SizedRow } from './query.ts';
import { sql } from './sql.ts';
import type { HotStandby } from './standby.ts';
import type { CachedZone, ZoneCache } from './zone-cache.ts';
import { sortValues, wantedTags, zoneListStatement } from './zone-list-statement.ts';
import { type ListRow, ownPage, pageIn } from './zone-pages.ts';
import { type ZoneRow, zoneOf } from './zone-row.ts';
import { readState, suppliedState } from './zone-states.ts';

/** Estimated bytes of a cached text, including what is derived from it for responses. */
const bytesFor = (text: number): number => 2 * text + 1000;

/** Sources of zones: the database decides which zones there are. */
export interface ZoneSources {
  readonly on: Connection;
  readonly cache: ZoneCache;
  readonly standby: HotStandby | undefined;
}

/** A page of the zones of some organizations: its members are always queried, their contents are cached. */
export const zonePage = (
  sources: ZoneSources,
  { organizations, ...filter }: ZoneFilter,
  sort: readonly ZoneSort[],
  page: PageRequest,
): ResultAsync<Page<Zone>, PageTooLarge> => {
  const values = {
    ...credentialValues(undefined),
    roles: [],
    organization: null,
    organizations,
    basis: null,
    ...valuesOf(filter, sort, page),
  };
  return one<ListRow>(sources.on, statementFor(filter, sort), values)
    .map(pageIn)
    .andThen(({ states, totalItems }) => read(sources, states).map((items) => ({ items, totalItems })));
};

export const postgresOwnZones = ({ on, cache, standby }: ZoneSources, limits: StoredLimits): OwnZones => ({
  states: (credential, { organization, roles, ...filter }, sort, page) => {
    const values = {
      organization: organization ?? null,
      roles,
      organizations: [],
      ...valuesOf(filter, sort, page),
    };
    return ownPage({ on, cache }, statementFor(filter, sort), credential, values).map(({ caller, row: { page } }) => {
      const shown = new Set([organization, ...page.states.map(({ organizationId }) => organizationId)]);
      const concerns = (id: OrganizationId, role: Role) =>
        shown.has(id) && roles.includes(role) && (organization ?? id) === id;
      return { caller: withMemberships(caller, concerns), found: page };
    });
  },
  read: (states) => read({ on, cache, standby }, states),
  state: (credential, id) =>
    authenticated<StateRow & CallerRow>(on, sql.zones.state, credential, { id }).map(({ caller, row }) => ({
      caller: withMemberships(caller, (organization) => organization === row.organizationId),
      found: row.zone === null ? undefined : stateIn(row, limits),
    })),
  contents: ({ id, state }) => {
    const known = cache.states.get(id);
    if (known?.name === state) return okAsync(known.state);
    return suppliedState(standby, cache, { id, state }).andThen(
      (found): ResultAsync<ZoneState, ZoneNotFound> =>
        found === undefined ? readState(on, cache, id) : okAsync(found),
    );
  },
});

type PresentRow = Pick<OrganizationRow, 'ownLimits'> &
  Pick<ZoneStateId, 'organizationId'> & { readonly zone: ZoneId; readonly version: string };
type StateRow = PresentRow | { readonly zone: null; readonly organizationId: null };

const stateIn = ({ zone: id, organizationId, version: state, ownLimits }: PresentRow, limits: StoredLimits) => ({
  id,
  organizationId,
  state,
  limits: limits.with(ownLimits),
});

type Criteria = Omit<ZoneFilter, 'organizations'>;

const statementFor = ({ tags, search }: Criteria, sort: readonly ZoneSort[]) =>
  zoneListStatement({ sort, byTag: tags.length > 0, bySearch: search !== undefined });

const valuesOf = ({ tags, search }: Criteria, sort: readonly ZoneSort[], page: PageRequest) => ({
  ...sortValues(sort),
  tags: wantedTags(tags),
  pattern: search === undefined ? '' : substringPattern(searchKey(search)),
  limit: page.itemsPerPage,
  offset: offsetOf(page),
});

type ReadRow = ZoneRow & SizedRow & { readonly version: string };

const nameOf = (id: ZoneId, version: string): string => `${id} ${version}`;

/** Zones in the named states, from the cache or else in their current state. */
function read(
  { on, cache, standby }: ZoneSources,
  states: readonly ZoneStateId[],
): ResultAsync<readonly Zone[], PageTooLarge> {
  const known = new Map<ZoneId, CachedZone>();
  for (const state of states) {
    const found = cache.zones.get(nameOf(state.id, state.state));
    if (found !== undefined) known.set(state.id, found);
  }
  const unknown = states.filter(({ id }) => !known.has(id));
  return rowsOf({ on, standby }, unknown).andThen((rows) => {
    const sizes = new Map(rows.map(({ id, bytes }) => [id, bytes]));
    const present = states.filter(({ id }) => known.has(id) || sizes.has(id));
    return checkPageSize(present.map(({ id }) => known.get(id)?.bytes ?? sizes.get(id) ?? 0)).map(() => {
      for (const row of rows) known.set(row.id, rememberedZone(cache, row));
      return present.flatMap(({ id }) => known.get(id)?.zone ?? []);
    });
  });
}

/** Rows of zones: from the standby if it has the named state, otherwise current ones from the primary. */
function rowsOf(
  { on, standby }: Omit<ZoneSources, 'cache'>,
  states: readonly ZoneStateId[],
): ResultAsync<readonly ReadRow[], never> {
  const reading = (ids: readonly ZoneId[]) => ({ ids, maxBytes: maxPageTextBytes });
  const rowsOn = (ids: readonly ZoneId[]) =>
    ids.length === 0 ? okAsync([]) : many<ReadRow>(on, sql.zones.read, reading(ids));
  const ids = states.map(({ id }) => id);
  if (standby === undefined || ids.length === 0) return rowsOn(ids);
  const requested = new Set(states.map(({ id, state }) => nameOf(id, state)));
  return standby
    .supply<ReadRow, readonly ReadRow[]>(sql.zones.read, reading(ids), (rows) => {
      // The standby omits texts that are too large together; whether the page is too large is up to the primary.
      const found = rows.filter((row) => requested.has(nameOf(row.id, row.version)) && row.settings !== null);
      return { found, isComplete: found.length === ids.length };
    })
    .andThen((supplied) => {
      const has = new Set(supplied.map(({ id }) => id));
      return rowsOn(ids.filter((id) => !has.has(id))).map((rows) => [...supplied, ...rows]);
    });
}

function rememberedZone({ zones }: ZoneCache, { bytes, version, ...row }: ReadRow): CachedZone {
  const made = { zone: zoneOf(row), bytes };
  zones.set(nameOf(row.id, version), made, bytesFor(bytes));
  return made;
}

import {
  type CallerError,
  type ListZonesQuery,
  type OrganizationId,
  offsetOf,
  type PageRequest,
  type PlausibleCredential,
  searchKey,
  type ZoneFilter,
  type ZoneId,
  type ZoneSort,
} from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { substringPattern } from '../connection/like-pattern.ts';
import { maybe, one } from '../connection/query.ts';
import {
  type AuthenticatedRow,
  authenticatedIn,
  type CallerRow,
  credentialValues,
  type GrantedMembership,
} from '../session/callers.ts';
import type { CachedPage, ZoneCache, ZoneVersion, ZoneVersionPage } from './zone-cache.ts';
import { sortValues, wantedTags, zoneListStatement } from './zone-list-statement.ts';

/** The zones as text: `id organization version`, separated by commas; null for an empty page. */
interface ListRow {
  readonly totalItems: number;
  readonly versions: string | null;
}

type Criteria = Omit<ZoneFilter, 'organizations' | 'zones'>;

/** A page of the zones of given organizations. */
export const pageOfOrganizations = (
  on: Connection,
  { organizations, zones, ...filter }: ZoneFilter,
  sort: readonly ZoneSort[],
  page: PageRequest,
): ResultAsync<ZoneVersionPage, never> => {
  const values = {
    ...credentialValues(undefined),
    organization: null,
    organizations,
    zones: zones ?? null,
    basis: null,
  };
  return one<ListRow>(on, statementFor(filter, sort), { ...values, ...valuesOf(filter, sort, page) }).map(pageIn);
};

/** A row by credential: that of a new page, or one that only says that the page read earlier is current. */
type OwnListRow = Omit<CallerRow, 'memberships'> &
  (
    | (ListRow & { readonly basis: string | null; readonly memberships: readonly GrantedMembership[] })
    | { readonly totalItems: null; readonly memberships: null }
  );

type PageRow = CallerRow & Pick<CachedPage, 'page'>;

/**
 * A page of the zones of a caller's organizations whose two-factor requirement they meet, with the caller. The
 * statement gets the basis of the page that was read earlier, and confirms that it is current or reads a new one
 * (decision 0034).
 */
export function pageOfCaller(
  { on, cache }: { readonly on: Connection; readonly cache: ZoneCache },
  credential: PlausibleCredential,
  { organization, sort, tags, search, hostname, ...page }: ListZonesQuery,
): ResultAsync<AuthenticatedRow<PageRow>, CallerError> {
  const filter = { tags, search, hostname };
  const statement = statementFor(filter, sort);
  const values = {
    organization: organization ?? null,
    organizations: [],
    zones: null,
    ...valuesOf(filter, sort, page),
  };
  const key = JSON.stringify([statement.name, holderOf(credential), values]);
  const earlier = cache.pages.get(key);
  const reading = maybe<OwnListRow | { readonly userId: null }>(on, statement, {
    ...credentialValues(credential),
    ...values,
    basis: earlier?.basis ?? null,
  });
  const row = reading.map((read): PageRow | undefined => {
    // Without a live credential there is a row, for nobody.
    if (read === undefined || read.userId === null) return undefined;
    if (read.totalItems !== null) return { ...read, page: remembered(cache, key, read) };
    if (earlier === undefined) throw new Error('The statement confirmed a page that was never read.');
    return { ...read, ...earlier };
  });
  return authenticatedIn(on, credential, row);
}

const statementFor = ({ tags, search, hostname }: Criteria, sort: readonly ZoneSort[]) =>
  zoneListStatement({
    sort,
    byTag: tags.length > 0,
    bySearch: search !== undefined,
    byHostName: hostname !== undefined,
  });

/** The pattern that every zone matches. */
const everything = '%';

const valuesOf = ({ tags, search, hostname }: Criteria, sort: readonly ZoneSort[], page: PageRequest) => ({
  ...sortValues(sort),
  tags: wantedTags(tags),
  hostname: hostname ?? null,
  pattern: search === undefined ? everything : substringPattern(searchKey(search)),
  limit: page.itemsPerPage,
  offset: offsetOf(page),
});

/** Sessions of a user share pages. The basis tells those apart that do not come from a required provider. */
const holderOf = (credential: PlausibleCredential): string =>
  credential.kind === 'session' ? credential.userId : credential.hash;

const pageIn = ({ versions, totalItems }: ListRow): ZoneVersionPage => ({
  zones: versions === null ? [] : versions.split(',').map(zoneVersion),
  totalItems,
});

function zoneVersion(text: string): ZoneVersion {
  // The statement separates three parts by spaces.
  const [id, organization, version] = text.split(' ') as [ZoneId, string, string];
  // The second part is an organization id.
  return { id, organizationId: Number(organization) as OrganizationId, version };
}

/** Caches the page if it has a basis. */
function remembered(
  { pages }: ZoneCache,
  key: string,
  { basis, memberships, ...row }: Exclude<OwnListRow, { readonly totalItems: null }>,
): ZoneVersionPage {
  const page = pageIn(row);
  if (basis !== null) pages.set(key, { page, memberships, basis }, bytesOf(key, basis, page, memberships));
  return page;
}

/** Estimated bytes of a cached page. */
const bytesOf = (key: string, basis: string, { zones }: ZoneVersionPage, memberships: readonly GrantedMembership[]) =>
  500 + 2 * (key.length + basis.length) + 300 * zones.length + 100 * memberships.length;

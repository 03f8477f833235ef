import type {
  OrganizationId,
  PlausibleCredential,
  Unauthenticated,
  ZoneId,
  ZoneStateId,
  ZoneStatePage,
} from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import {
  type AuthenticatedRow,
  authenticatedIn,
  type CallerRow,
  credentialValues,
  type GrantedMembership,
} from './callers.ts';
import type { Connection } from './database.ts';
import { maybe } from './query.ts';
import type { Statement } from './statement.ts';
import type { CachedPage, ZoneCache } from './zone-cache.ts';

/** The versions as text: `id organization version`, separated by commas; null for an empty page. */
export interface ListRow {
  readonly totalItems: number;
  readonly versions: string | null;
}

/** The page in a row. */
export const pageIn = ({ versions, totalItems }: ListRow): ZoneStatePage => ({
  states: versions === null ? [] : versions.split(',').map(stateOf),
  totalItems,
});

function stateOf(text: string): ZoneStateId {
  // The statement separates three parts by spaces.
  const [id, organization, state] = text.split(' ') as [ZoneId, string, string];
  // The second part is an organization id.
  return { id, organizationId: Number(organization) as OrganizationId, state };
}

/** A row by credential: that of a new page, or one that only says that the page read earlier is current. */
type OwnListRow = Omit<CallerRow, 'memberships'> &
  (
    | (ListRow & { readonly basis: string | null; readonly memberships: readonly GrantedMembership[] })
    | { readonly totalItems: null; readonly memberships: null }
  );

type PageRow = CallerRow & Pick<CachedPage, 'page'>;

/**
 * A page of the caller's zones, with the caller. The statement gets the basis of the page that was read earlier, and
 * confirms that it is current or reads a new one (decision 0034).
 */
export function ownPage(
  { on, cache }: { readonly on: Connection; readonly cache: ZoneCache },
  statement: Statement,
  credential: PlausibleCredential,
  values: Readonly<Record<string, unknown>>,
): ResultAsync<AuthenticatedRow<PageRow>, Unauthenticated> {
  const key = JSON.stringify([statement.name, grantOf(credential), values]);
  const earlier = cache.pages.get(key);
  const found = maybe<OwnListRow | { readonly userId: null }>(on, statement, {
    ...credentialValues(credential),
    ...values,
    basis: earlier?.basis ?? null,
  }).map((row): PageRow | undefined => {
    // Without a live credential there is a row, for nobody.
    if (row === undefined || row.userId === null) return undefined;
    if (row.totalItems !== null) return { ...row, page: remembered(cache, key, row) };
    if (earlier === undefined) throw new Error('The statement confirmed a page that was never read.');
    return { ...row, ...earlier };
  });
  return authenticatedIn(on, credential, found);
}

/** All sessions of a user grant the same. */
const grantOf = (credential: PlausibleCredential): string =>
  credential.kind === 'session' ? credential.userId : credential.hash;

/** Caches the page if it has a basis. */
function remembered(
  { pages }: ZoneCache,
  key: string,
  { basis, memberships, ...row }: Exclude<OwnListRow, { readonly totalItems: null }>,
): ZoneStatePage {
  const page = pageIn(row);
  if (basis !== null) pages.set(key, { page, memberships, basis }, bytesOf(key, basis, page, memberships));
  return page;
}

/** Estimated bytes of a cached page. */
const bytesOf = (key: string, basis: string, { states }: ZoneStatePage, memberships: readonly GrantedMembership[]) =>
  500 + 2 * (key.length + basis.length) + 300 * states.length + 100 * memberships.length;

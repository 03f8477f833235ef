import {
  type AuthenticatedCaller,
  type ListZonesQuery,
  type OrganizationId,
  openOrganizations,
  type PlausibleCredential,
  zonesOf,
} from '@zonewright/core';
import { callerOf } from '../arrangements/index.ts';
import { okOf, readView } from '../results.ts';
import type { Storage } from '../storage.ts';
import { openSession } from './member.ts';

/** The organizations whose zones the caller gets. */
export const listedOrganizations = (
  caller: AuthenticatedCaller,
  organization: OrganizationId | undefined,
): readonly OrganizationId[] => openOrganizations(caller).filter((id) => [undefined, id].includes(organization));

/** The page as a request about it gets it. */
export async function listedBy(storage: Storage, credential: PlausibleCredential, query: ListZonesQuery) {
  const { session, caller } = await openSession(storage, credential, { kind: 'zone list', query });
  const { organization, tags, search, hostname, sort, ...page } = query;
  const organizations = listedOrganizations(caller, organization);
  const filter = { organizations, zones: zonesOf(caller), tags: [...tags], search, hostname };
  return okOf(session.view(({ zones }) => zones.list(filter, [...sort], page)));
}

/** The page as anybody reads it. */
export async function listedFor(storage: Storage, credential: PlausibleCredential, query: ListZonesQuery) {
  const { organization, tags, search, hostname, sort, ...page } = query;
  const caller = await callerOf(storage, credential);
  const organizations = listedOrganizations(caller, organization);
  const filter = { organizations, zones: zonesOf(caller), tags, search, hostname };
  return readView(storage, ({ zones }) => zones.list(filter, sort, page));
}

import { errAsync, type ResultAsync } from 'neverthrow';
import { type Caller, callerFrom } from '../access/caller.ts';
import type { AuthenticatedRead, PlausibleCredential } from '../access/credential.ts';
import { type TwoFactorRequired, twoFactorRequired, type Unauthenticated } from '../access/errors.ts';
import { rolesThatMay } from '../access/role.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Client } from '../shared/client.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Page, PageRequest, PageTooLarge } from '../shared/page.ts';
import type { ZoneFilter, ZoneSort } from './ports.ts';
import type { Zone } from './zone.ts';
import { zoneAsSeenBy } from './zone-as-seen.ts';

/** Which of the zones visible to the caller to list, in which order. */
export interface ListZonesQuery extends Pick<ZoneFilter, 'tags' | 'search'>, PageRequest {
  /** Only this organization; an empty list if the caller is not a member. */
  readonly organization: OrganizationId | undefined;
  readonly sort: readonly ZoneSort[];
}

type ListZonesError = TwoFactorRequired | PageTooLarge;

export type ListZones = (caller: Caller, query: ListZonesQuery) => ResultAsync<Page<Zone>, ListZonesError>;

/** The zones the caller can access (interface, "Zone endpoints"). */
export const listZones =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ListZones =>
  (caller, { organization, tags, search, sort, ...page }) => {
    const refusal = closedTo(caller, organization);
    if (refusal !== undefined) return errAsync(refusal);
    const organizations = [...caller.memberships]
      .filter(([id, { needsTwoFactor }]) => !needsTwoFactor && (organization === undefined || id === organization))
      .map(([id]) => id);
    return unitOfWork
      .view(({ zones }) => zones.list({ organizations, tags, search }, sort, page))
      .map(({ items, totalItems }) => ({ items: items.map((zone) => zoneAsSeenBy(caller, zone)), totalItems }));
  };

export type ListZonesBy = (
  credential: PlausibleCredential,
  client: Client,
  query: ListZonesQuery,
) => ResultAsync<AuthenticatedRead<Page<Zone>, ListZonesError>, Unauthenticated>;

/** Like `listZones`, by credential. */
export const listZonesBy =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ListZonesBy =>
  (credential, client, { organization, tags, search, sort, ...page }) => {
    const filter = { organization, tags, search, roles: rolesThatMay('zones.read') };
    return unitOfWork
      .view(({ ownZones }) => ownZones.states(credential, filter, sort, page))
      .map(({ caller: recognized, found: { states, totalItems } }) => {
        const caller = callerFrom(recognized, client);
        const refusal = closedTo(caller, organization);
        const answer = () =>
          unitOfWork
            .view(({ ownZones }) => ownZones.read(states))
            .map((items) => ({ items: items.map((zone) => zoneAsSeenBy(caller, zone)), totalItems }));
        return { caller, answer: () => (refusal === undefined ? answer() : errAsync(refusal)) };
      });
  };

/** The error if the given organization requires a second factor that the caller lacks. */
const closedTo = (caller: Caller, organization: OrganizationId | undefined): TwoFactorRequired | undefined =>
  organization !== undefined && caller.memberships.get(organization)?.needsTwoFactor === true
    ? twoFactorRequired(organization)
    : undefined;

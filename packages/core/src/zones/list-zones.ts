import { errAsync, type ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { type TwoFactorRequired, twoFactorRequired } from '../access/errors.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Page, PageRequest, PageTooLarge } from '../shared/page.ts';
import type { ZoneFilter, ZoneSort } from './ports.ts';
import type { Zone } from './zone.ts';
import { zoneAsSeenBy } from './zone-as-seen.ts';

/** Which of the zones that the caller may see to list, in which order, and which part of them. */
export interface ListZonesQuery extends Pick<ZoneFilter, 'tags' | 'search'>, PageRequest {
  /** One organization only; one the caller does not belong to gives an empty list. */
  readonly organization: OrganizationId | undefined;
  readonly sort: readonly ZoneSort[];
}

export type ListZones = (
  caller: Caller,
  query: ListZonesQuery,
) => ResultAsync<Page<Zone>, TwoFactorRequired | PageTooLarge>;

/** The zones the caller can access (interface, "Zone endpoints"). */
export const listZones =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ListZones =>
  (caller, { organization, tags, search, sort, ...page }) => {
    if (organization !== undefined && caller.memberships.get(organization)?.needsTwoFactor) {
      return errAsync(twoFactorRequired(organization));
    }
    const organizations = [...caller.memberships]
      .filter(([id, { needsTwoFactor }]) => !needsTwoFactor && (organization === undefined || id === organization))
      .map(([id]) => id);
    return unitOfWork
      .view(({ zones }) => zones.list({ organizations, tags, search }, sort, page))
      .map(({ items, totalItems }) => ({ items: items.map((zone) => zoneAsSeenBy(caller, zone)), totalItems }));
  };

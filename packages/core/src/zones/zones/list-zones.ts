import { ok, type Result, type ResultAsync } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { Page, PageTooLarge } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import {
  type Closed,
  type CredentialDenied,
  openOrganizations,
  requireCredentialAllows,
  requireOpen,
  zonesOf,
} from '../../organizations/access/permissions.ts';
import type { ListZonesQuery, Zones } from './ports.ts';
import type { Zone } from './zone.ts';
import { zoneAsSeenBy } from './zone-as-seen.ts';

/** The zones the caller can access (interface, "Zone endpoints"). */
export const listZones =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<{ readonly zones: Zones }> }) =>
  (
    caller: Caller,
    { organization, tags, search, hostname, sort, ...page }: ListZonesQuery,
  ): ResultAsync<Page<Zone>, CredentialDenied | Closed | PageTooLarge> => {
    const organizations = openOrganizations(caller).filter((id) => organization === undefined || id === organization);
    const filter = { organizations, zones: zonesOf(caller), tags, search, hostname };
    return requireOpenTo(caller, organization)
      .andThen(() => requireCredentialAllows(caller.credential, 'zones.read'))
      .asyncAndThen(() => unitOfWork.view(({ zones }) => zones.list(filter, sort, page)))
      .map(({ items, totalItems }) => ({ items: items.map((zone) => zoneAsSeenBy(caller, zone)), totalItems }));
  };

/** Refuses an organization that has requirements that the caller does not meet. */
const requireOpenTo = (caller: Caller, organization: OrganizationId | undefined): Result<void, Closed> => {
  const membership = organization && caller.memberships.get(organization);
  return organization === undefined || membership === undefined ? ok() : requireOpen(caller, organization, membership);
};

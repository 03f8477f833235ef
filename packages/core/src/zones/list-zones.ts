import { errAsync, type ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { type TwoFactorRequired, twoFactorRequired } from '../access/errors.ts';
import { type CredentialDenied, requireCredentialAllows, zonesOf } from '../access/permissions.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Page, PageTooLarge } from '../shared/page.ts';
import type { ListZonesQuery } from './ports.ts';
import type { Zone } from './zone.ts';
import { zoneAsSeenBy } from './zone-as-seen.ts';

/** The zones the caller can access (interface, "Zone endpoints"). */
export const listZones =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    { organization, tags, search, hostname, sort, ...page }: ListZonesQuery,
  ): ResultAsync<Page<Zone>, CredentialDenied | TwoFactorRequired | PageTooLarge> => {
    const refusal = closedTo(caller, organization);
    if (refusal !== undefined) return errAsync(refusal);
    const organizations = [...caller.memberships]
      .filter(([id, { needsTwoFactor }]) => !needsTwoFactor && (organization === undefined || id === organization))
      .map(([id]) => id);
    const filter = { organizations, zones: zonesOf(caller), tags, search, hostname };
    return requireCredentialAllows(caller.credential, 'zones.read')
      .asyncAndThen(() => unitOfWork.view(({ zones }) => zones.list(filter, sort, page)))
      .map(({ items, totalItems }) => ({ items: items.map((zone) => zoneAsSeenBy(caller, zone)), totalItems }));
  };

/** The error if the given organization requires a second factor that the caller lacks. */
const closedTo = (caller: Caller, organization: OrganizationId | undefined): TwoFactorRequired | undefined =>
  organization !== undefined && caller.memberships.get(organization)?.needsTwoFactor === true
    ? twoFactorRequired(organization)
    : undefined;

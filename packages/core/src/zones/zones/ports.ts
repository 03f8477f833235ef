import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest, PageTooLarge } from '../../kernel/shared/page.ts';
import type { UsageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { HostName } from '../../organizations/domains/dns-names.ts';
import type { HostNameClaim } from '../../organizations/domains/host-name-rules.ts';
import type { ZoneCounts } from '../../organizations/organizations/ports.ts';
import type { HostNamesTaken, ZoneNameTaken, ZoneNotFound } from './errors.ts';
import type { EnvironmentTag, Zone } from './zone.ts';
import type { ZoneState } from './zone-state.ts';

/** Sort keys for lists of zones. */
export const zoneSortKeys = ['name', 'tag', 'createdAt', 'updatedAt'] as const;
export type ZoneSortKey = (typeof zoneSortKeys)[number];

/** A sort key with its direction; earlier keys take precedence. */
export interface ZoneSort {
  readonly key: ZoneSortKey;
  readonly direction: 'asc' | 'desc';
}

/** Which zones to list; all criteria must match. */
export interface ZoneFilter {
  readonly organizations: readonly OrganizationId[];
  /** Only these of them; undefined: all. */
  readonly zones?: readonly ZoneId[] | undefined;
  /** Empty: all tags. */
  readonly tags: readonly EnvironmentTag[];
  /** Substring of the name or the id, ignoring case, without wildcards. */
  readonly search: string | undefined;
  /** Only the zone that has this host name. */
  readonly hostname?: HostName | undefined;
}

/** Which of the zones visible to the caller to list, in which order. */
export interface ListZonesQuery extends Pick<ZoneFilter, 'tags' | 'search' | 'hostname'>, PageRequest {
  /** Only this organization; an empty list if the caller is not a member. */
  readonly organization: OrganizationId | undefined;
  readonly sort: readonly ZoneSort[];
}

/** The part of a zone that decides who may see it, and whether cached contents are still current. */
export interface ZoneHead extends Pick<Zone, 'organizationId' | 'revision'> {
  readonly limits: UsageLimits;
}

/** A zone with everything in it, and the limits in force. */
export interface StateWithLimits {
  readonly state: ZoneState;
  readonly limits: UsageLimits;
}

/**
 * Zones; `ZoneChanges` changes them. Names are compared ignoring case; the pair of name and tag is unique in an
 * organization.
 */
export interface Zones extends ZoneCounts {
  /** Each host name is claimed: of several zones that add one concurrently, one gets it. */
  add(
    zone: Omit<Zone, 'createdBy' | 'createdAt' | 'updatedAt' | 'revision'> & {
      readonly createdBy: UserId;
      readonly claims: readonly HostNameClaim[];
    },
  ): ResultAsync<Zone, ZoneNameTaken | HostNamesTaken>;
  /**
   * Zones in the requested order, with the id as the tie-breaker. The size of a page is checked without reading the
   * settings.
   */
  list(filter: ZoneFilter, sort: readonly ZoneSort[], page: PageRequest): ResultAsync<Page<Zone>, PageTooLarge>;
  /** The zone's organization, its revision, and the limits in force. */
  head(id: ZoneId): ResultAsync<ZoneHead, ZoneNotFound>;
  /** A consistent snapshot of the zone and everything in it. */
  state(id: ZoneId): ResultAsync<ZoneState, ZoneNotFound>;
  /** The same with the limits at that moment. */
  limitedState(id: ZoneId): ResultAsync<StateWithLimits, ZoneNotFound>;
  /**
   * Removes a zone that `ZoneChanges` has locked, with everything in it; its host names are free at once. For 30 days, it is among the `DeletedZones`
   * and its history is kept.
   */
  remove(id: ZoneId, author: UserId | undefined): ResultAsync<void, never>;
}

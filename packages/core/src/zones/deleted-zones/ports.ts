import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { DeletedZone } from './deleted-zone.ts';
import type { DeletedZoneNotFound } from './errors.ts';

/** Which deleted zones to list. */
export interface DeletedZoneFilter {
  readonly organization: OrganizationId;
  /** Only these; undefined: all. */
  readonly zones?: readonly ZoneId[] | undefined;
  /** Substring of the name or the id, ignoring case, without wildcards. */
  readonly search: string | undefined;
}

/**
 * Zones deleted by `Zones.remove` in the last 30 days (see `deletedZoneLifetimeSeconds`). They are removed along with
 * their organization. No other port reads what is in them, but the ids of their rules stay taken.
 */
export interface DeletedZones {
  /** Most recently deleted first. */
  list(filter: DeletedZoneFilter, page: PageRequest): ResultAsync<Page<DeletedZone>, never>;
  byId(organization: OrganizationId, id: ZoneId): ResultAsync<DeletedZone, DeletedZoneNotFound>;
  /** What `revive` restores, including the placeholder of the ban token. */
  state(organization: OrganizationId, id: ZoneId): ResultAsync<ZoneState, DeletedZoneNotFound>;
  /**
   * Turns it back into a zone with all its contents except the ban token, at its last revision; of concurrent calls,
   * exactly one succeeds. The unit must then apply a change that sets the zone's ban token and its name: until then, the
   * token is a placeholder, and whether the name is unique is not checked.
   */
  revive(organization: OrganizationId, id: ZoneId): ResultAsync<void, DeletedZoneNotFound>;
}

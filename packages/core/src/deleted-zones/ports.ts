import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { DeletedZone } from './deleted-zone.ts';
import type { DeletedZoneNotFound, RuleIdTaken } from './errors.ts';

/** Which deleted zones to list. */
export interface DeletedZoneFilter {
  readonly organization: OrganizationId;
  /** Part of the name, ignoring case, or of the id; taken literally. */
  readonly search: string | undefined;
}

/** Zones that `Zones.remove` deleted in the last 30 days. They go with their organization. */
export interface DeletedZones {
  /** The one that was deleted last comes first. */
  list(filter: DeletedZoneFilter, page: PageRequest): ResultAsync<Page<DeletedZone>, never>;
  byId(organization: OrganizationId, id: ZoneId): ResultAsync<DeletedZone, DeletedZoneNotFound>;
  /**
   * Makes it a zone again, with everything that it was, at its last revision; of any number of calls one succeeds. The unit
   * must apply a change that names the zone: until then its name is not compared with those of others.
   */
  revive(organization: OrganizationId, id: ZoneId): ResultAsync<void, DeletedZoneNotFound | RuleIdTaken>;
}

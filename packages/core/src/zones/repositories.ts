import type { OrganizationRepositories } from '../organizations/repositories.ts';
import type { BasicAuthUsers } from './basic-auth-users/ports.ts';
import type { DeletedZones } from './deleted-zones/ports.ts';
import type { BackendHistory, ZoneHistory } from './history/ports.ts';
import type { Rules } from './rules/ports.ts';
import type { ZoneChanges } from './zone-changes/ports.ts';
import type { Zones } from './zones/ports.ts';

/** The repositories of zones, and those of the organizations they belong to. */
export interface ZoneRepositories extends OrganizationRepositories {
  readonly zones: Zones;
  readonly zoneChanges: ZoneChanges;
  readonly deletedZones: DeletedZones;
  readonly rules: Rules;
  readonly basicAuthUsers: BasicAuthUsers;
  readonly history: ZoneHistory;
  readonly backendHistory: BackendHistory;
}

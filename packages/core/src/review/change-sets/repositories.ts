import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { LoadBalancers, OriginServers } from '../../organizations/backends/ports.ts';
import type { StorageQuotas } from '../../organizations/organizations/ports.ts';
import type { ZoneHistory } from '../../zones/history/ports.ts';
import type { ZoneChanges } from '../../zones/zone-changes/ports.ts';
import type { Zones } from '../../zones/zones/ports.ts';
import type { ChangeSets } from './ports.ts';

export interface ChangeSetRepositories {
  readonly auditLog: AuditLog;
  readonly changeSets: ChangeSets;
  readonly history: ZoneHistory;
  readonly loadBalancers: LoadBalancers;
  readonly originServers: OriginServers;
  readonly storageQuotas: StorageQuotas;
  readonly zoneChanges: ZoneChanges;
  readonly zones: Zones;
}

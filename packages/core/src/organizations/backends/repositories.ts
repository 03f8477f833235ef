import type { Memberships } from '../access/ports.ts';
import type { AuditLog } from '../audit/ports.ts';
import type { Organizations } from '../organizations/ports.ts';
import type { Backends, LoadBalancers, OriginServers } from './ports.ts';

export interface BackendRepositories {
  readonly auditLog: AuditLog;
  readonly backends: Backends;
  readonly loadBalancers: LoadBalancers;
  readonly memberships: Memberships;
  readonly organizations: Organizations;
  readonly originServers: OriginServers;
}

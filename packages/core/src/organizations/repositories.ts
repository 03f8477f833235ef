import type { KernelRepositories } from '../kernel/repositories.ts';
import type { Memberships, People } from './access/ports.ts';
import type { AuditLog } from './audit/ports.ts';
import type { Backends, LoadBalancers, OriginServers } from './backends/ports.ts';
import type { DomainChecks, Domains } from './domains/ports.ts';
import type { Invitations, InvitationTokens } from './invitations/ports.ts';
import type { LimitOverrides, Members, Organizations, StorageQuotas, ZoneCounts } from './organizations/ports.ts';

/** The repositories of organizations. */
export interface OrganizationRepositories extends KernelRepositories {
  readonly organizations: Organizations;
  readonly limitOverrides: LimitOverrides;
  readonly storageQuotas: StorageQuotas;
  readonly members: Members;
  readonly memberships: Memberships;
  readonly people: People;
  readonly zones: ZoneCounts;
  readonly invitations: Invitations;
  readonly invitationTokens: InvitationTokens;
  readonly domains: Domains;
  readonly domainChecks: DomainChecks;
  readonly backends: Backends;
  readonly originServers: OriginServers;
  readonly loadBalancers: LoadBalancers;
  readonly auditLog: AuditLog;
}

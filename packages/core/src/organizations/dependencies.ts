import type { KernelDependencies } from '../kernel/dependencies.ts';
import type { UnitOfWork } from '../kernel/shared/unit-of-work.ts';
import type { OriginNetworks } from './backends/address.ts';
import type { Dns } from './domains/dns.ts';
import type { HostNameRules } from './domains/host-name-rules.ts';
import type { OrganizationRepositories } from './repositories.ts';

/** The ports of use cases of organizations; each picks those it needs. */
export interface OrganizationDependencies extends KernelDependencies {
  readonly unitOfWork: UnitOfWork<OrganizationRepositories>;
  readonly dns: Dns;
  readonly hostNameRules: HostNameRules;
  readonly originNetworks: OriginNetworks;
}

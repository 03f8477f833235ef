import type { UnitOfWork } from '../kernel/shared/unit-of-work.ts';
import type { OrganizationDependencies } from '../organizations/dependencies.ts';
import type { BasicAuthPasswordHashes } from './basic-auth-users/ports.ts';
import type { ZoneRepositories } from './repositories.ts';

/** The ports of use cases of zones; each picks those it needs. */
export interface ZoneDependencies extends Omit<OrganizationDependencies, 'unitOfWork'> {
  readonly unitOfWork: UnitOfWork<ZoneRepositories>;
  readonly basicAuthPasswords: BasicAuthPasswordHashes;
}

import type { UnitOfWork } from '../kernel/shared/unit-of-work.ts';
import type { ZoneDependencies } from '../zones/dependencies.ts';
import type { Publications } from './edges/ports.ts';
import type { DeliveryRepositories } from './repositories.ts';

/** The ports of use cases of delivery; each picks those it needs. */
export interface DeliveryDependencies extends Omit<ZoneDependencies, 'unitOfWork'> {
  readonly unitOfWork: UnitOfWork<DeliveryRepositories>;
  readonly publications: Publications;
}

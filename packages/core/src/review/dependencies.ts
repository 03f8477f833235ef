import type { UnitOfWork } from '../kernel/shared/unit-of-work.ts';
import type { ZoneDependencies } from '../zones/dependencies.ts';
import type { ReviewRepositories } from './repositories.ts';

/** The ports of use cases of drafts; each picks those it needs. */
export interface ReviewDependencies extends Omit<ZoneDependencies, 'unitOfWork'> {
  readonly unitOfWork: UnitOfWork<ReviewRepositories>;
}

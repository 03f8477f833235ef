import type { ZoneRepositories } from '../zones/repositories.ts';
import type { ChangeSets } from './change-sets/ports.ts';
import type { Promotions } from './promotions/ports.ts';

/** The repositories of drafts, and those of the zones they are of. */
export interface ReviewRepositories extends ZoneRepositories {
  readonly changeSets: ChangeSets;
  readonly promotions: Promotions;
}

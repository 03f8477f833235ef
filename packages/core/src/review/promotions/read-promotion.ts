import type { ResultAsync } from 'neverthrow';
import type { PromotionId, ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { Zones } from '../../zones/zones/ports.ts';
import { mayReadZone, type ZoneAccessError } from '../../zones/zones/zone-access.ts';
import type { PromotionNotFound } from './errors.ts';
import type { Promotions } from './ports.ts';
import type { Promotion } from './promotion.ts';

interface Repositories {
  readonly promotions: Promotions;
  readonly zones: Zones;
}

export type ReadPromotion = (
  caller: Caller,
  zone: ZoneId,
  id: PromotionId,
) => ResultAsync<Promotion, ZoneAccessError | PromotionNotFound>;

/** One promotion into a zone, with its report. */
export const readPromotion =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }): ReadPromotion =>
  (caller, zone, id) =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, zone).andThen(() => repositories.promotions.byId(zone, id)),
    );

import type { ResultAsync } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { Zones } from '../../zones/zones/ports.ts';
import { mayReadZone, type ZoneAccessError } from '../../zones/zones/zone-access.ts';
import type { Promotions } from './ports.ts';
import type { PromotionSummary } from './promotion.ts';

interface Repositories {
  readonly promotions: Promotions;
  readonly zones: Zones;
}

export type ListPromotions = (
  caller: Caller,
  zone: ZoneId,
  page: PageRequest,
) => ResultAsync<Page<PromotionSummary>, ZoneAccessError>;

/** The promotions into a zone, newest first. */
export const listPromotions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }): ListPromotions =>
  (caller, zone, page) =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, zone).andThen(() => repositories.promotions.list(zone, page)),
    );

import type { ResultAsync } from 'neverthrow';
import type { UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { PromotionNotFound } from './errors.ts';
import type { PromotedRevisions, Promotion, PromotionSummary } from './promotion.ts';

/** The members that equal promotions share. */
export interface PromotionRequest extends PromotedRevisions, Pick<Promotion, 'zoneId' | 'from'> {
  /** The rest of the request as text: equal texts mean equal requests. */
  readonly request: string;
}

/** A promotion to add. */
export interface NewPromotion extends Omit<Promotion, 'createdBy' | 'createdAt'>, PromotionRequest {
  readonly createdBy: UserId;
}

/** Promotions into zones. They are deleted along with their change set, and both along with the target. */
export interface Promotions {
  /** Adds a promotion along with its change set; `ZoneChanges` must have locked the zone. */
  add(promotion: NewPromotion): ResultAsync<Promotion, never>;
  byId(zone: ZoneId, id: Promotion['id']): ResultAsync<Promotion, PromotionNotFound>;
  /** Newest first, without reports. */
  list(zone: ZoneId, page: PageRequest): ResultAsync<Page<PromotionSummary>, never>;
  /** The promotion from this source whose change set was applied last. */
  lastApplied(zone: ZoneId, from: ZoneId): ResultAsync<PromotionSummary | undefined, never>;
  /** The latest promotion with the same request whose change set is still open. */
  openLike(request: PromotionRequest): ResultAsync<Promotion | undefined, never>;
}

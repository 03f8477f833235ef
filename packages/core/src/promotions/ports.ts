import type { ResultAsync } from 'neverthrow';
import type { UserId, ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { PromotionNotFound } from './errors.ts';
import type { PromotedRevisions, Promotion, PromotionSummary } from './promotion.ts';

/** What makes a promotion the same as another one. */
export interface PromotionRequest extends PromotedRevisions, Pick<Promotion, 'zoneId' | 'from'> {
  /** What was asked for besides: equal texts are equal requests. */
  readonly request: string;
}

/** A promotion to be added. */
export interface NewPromotion extends Omit<Promotion, 'createdBy' | 'createdAt'>, PromotionRequest {
  readonly createdBy: UserId;
}

/** What was promoted into zones. A promotion goes with its change set, and both go with the target. */
export interface Promotions {
  /** Adds one along with its change set, to a zone that `ZoneChanges` has locked. */
  add(promotion: NewPromotion): ResultAsync<Promotion, never>;
  byId(zone: ZoneId, id: Promotion['id']): ResultAsync<Promotion, PromotionNotFound>;
  /** Newest first. Reports are not read. */
  list(zone: ZoneId, page: PageRequest): ResultAsync<Page<PromotionSummary>, never>;
  /** Of those from this source, the one whose change set was applied last. */
  lastApplied(zone: ZoneId, from: ZoneId): ResultAsync<PromotionSummary | undefined, never>;
  /** The latest of the same request whose change set is open. */
  openLike(request: PromotionRequest): ResultAsync<Promotion | undefined, never>;
}

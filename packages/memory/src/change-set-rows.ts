import type { ChangeSet, NewPromotion } from '@zonewright/core';

/** A change set; whether it is open depends on the time of the read. */
export type ChangeSetRow = Omit<ChangeSet, 'status' | 'promotion'>;

/** A promotion with its request. */
export interface PromotionRow extends NewPromotion {
  readonly createdAt: Date;
}

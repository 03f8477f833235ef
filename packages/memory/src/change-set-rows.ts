import type { ChangeSet, NewPromotion } from '@zonewright/core';

/** A change set; whether it is open depends on the time of reading. */
export type ChangeSetRow = Omit<ChangeSet, 'status' | 'promotion'>;

/** A promotion, with what it was asked for. */
export interface PromotionRow extends NewPromotion {
  readonly createdAt: Date;
}

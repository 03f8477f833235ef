import type { ChangeSet, NewPromotion, Promotion } from '@zonewright/core';

/** A change set; whether it is open depends on the time of the read. */
export interface ChangeSetRow extends Omit<ChangeSet, 'status' | 'promotion' | 'bytes'> {
  /** The revision of the set that `merge` is about. */
  readonly mergedRevision: number;
}

/** A promotion with its request. */
export interface PromotionRow extends Omit<NewPromotion, 'createdBy'>, Pick<Promotion, 'createdBy'> {
  readonly createdAt: Date;
}

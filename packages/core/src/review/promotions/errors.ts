/** The zone has no promotion with this id. */
export const promotionNotFound = () => ({ type: 'PromotionNotFound' }) as const;
export type PromotionNotFound = ReturnType<typeof promotionNotFound>;

/** The source of the promotion has changed since the caller read it. */
export const sourceChanged = () => ({ type: 'SourceChanged' }) as const;
export type SourceChanged = ReturnType<typeof sourceChanged>;

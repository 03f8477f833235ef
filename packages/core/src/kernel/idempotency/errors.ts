/** The key was used for a different request. */
export const idempotencyKeyReused = () => ({ type: 'IdempotencyKeyReused' }) as const;
export type IdempotencyKeyReused = ReturnType<typeof idempotencyKeyReused>;

/** The key was used for another request. */
export const idempotencyKeyReused = () => ({ type: 'IdempotencyKeyReused' }) as const;
export type IdempotencyKeyReused = ReturnType<typeof idempotencyKeyReused>;

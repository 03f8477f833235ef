/** A response is replayed for 24 hours; then its key can be used again. */
export const idempotencyKeyLifetimeSeconds = 24 * 60 * 60;

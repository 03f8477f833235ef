/**
 * Forgetting what has outlived its purpose: unverified accounts, expired sessions, challenges and mailed tokens, stored
 * responses of idempotency keys, finished mails, deleted zones with their history, and discarded change sets. How long
 * each is kept is a constant next to its concept; the audit log stays. Nobody can use what is forgotten here any more, so
 * it may be forgotten at any later time.
 */
export interface Expiry {
  /**
   * Deletes a batch of what has expired. Resolves to the number of deleted records: 0 when nothing is left, or while
   * another instance is deleting. Rejects with `StorageUnavailable` if storage cannot be reached.
   */
  removeExpired(): Promise<number>;
}

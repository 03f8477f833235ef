import type { ResultAsync } from 'neverthrow';

/**
 * Access to storage. `Repositories` are those that the unit's work needs.
 *
 * All times come from the storage's clock: ports take lifetimes and delays, never the current time. A failure that no
 * caller can act on (lost connection, defect) is a rejection; `StorageUnavailable` is the transient one.
 */
export interface UnitOfWork<Repositories> {
  /**
   * Runs `work` atomically: commits when it resolves to Ok, rolls back when it resolves to Err, and rolls back and
   * rethrows when it rejects. Units must not be nested. `work` may be retried after a conflict with another unit, so it
   * must have no side effects besides its writes.
   */
  run<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E>;
  /**
   * Like `run`, for a single call of a method that is already atomic, so storage can skip the transaction. A method
   * that resolves to Err must have written nothing.
   */
  single<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E>;
  /** Runs reads without a transaction: each sees what is committed when it runs. `read` must not write. */
  view<T, E>(read: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E>;
}

/** Storage that can combine several units of work into one. */
export interface CombinedUnits {
  /**
   * Runs the units that `work` starts as parts of one unit: commits when `work` resolves to Ok and rolls everything
   * back otherwise.
   */
  atomically<T, E>(work: () => ResultAsync<T, E>): ResultAsync<T, E>;
}

import { ResultAsync } from 'neverthrow';

/**
 * Reports a violated invariant: rejects, so that the unit of work is rolled back. `message` states the broken
 * assumption, for the log.
 */
export const defect = (message: string): ResultAsync<never, never> =>
  ResultAsync.fromSafePromise(Promise.reject(new Error(message)));

/** Storage is temporarily unavailable; the same call may succeed after `retryAfterSeconds`. */
export class StorageUnavailable extends Error {
  readonly retryAfterSeconds = 1;
  override readonly name = 'StorageUnavailable';
}

/** Rejects like storage that cannot serve, for a conflict with other units that outlasts all retries. */
export const storageContended = (reason: string): ResultAsync<never, never> =>
  ResultAsync.fromSafePromise(Promise.reject(new StorageUnavailable(reason)));

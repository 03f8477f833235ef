import { ResultAsync } from 'neverthrow';

/**
 * Reports a violated invariant: rejects, so that the unit of work is rolled back. `message` states the broken
 * assumption, for the log.
 */
export const defect = (message: string): ResultAsync<never, never> =>
  ResultAsync.fromSafePromise(Promise.reject(new Error(message)));

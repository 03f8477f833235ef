import { ResultAsync } from 'neverthrow';

/**
 * What cannot happen has happened. The result rejects, so the unit of work is undone; no caller can act on it. `message`
 * says what was taken for granted, for those who read the log.
 */
export const defect = (message: string): ResultAsync<never, never> =>
  ResultAsync.fromSafePromise(Promise.reject(new Error(message)));

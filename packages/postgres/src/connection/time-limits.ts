/** Timeouts in milliseconds, by the names of the server's settings. */
export const timeLimits = {
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** Lifts the timeouts for the rest of a transaction, wherever they were set. */
export const withoutTimeLimits = Object.keys(timeLimits)
  .map((name) => `SET LOCAL ${name} = 0;`)
  .join(' ');

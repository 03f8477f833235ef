/** Milliseconds after which the server ends what hangs, by the names of its settings. */
export const timeLimits = {
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** Lifts the limits for the rest of a transaction, however the connection has got them. */
export const withoutTimeLimits = Object.keys(timeLimits)
  .map((name) => `SET LOCAL ${name} = 0;`)
  .join(' ');

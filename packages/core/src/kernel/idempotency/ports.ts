import type { ResultAsync } from 'neverthrow';
import type { IdempotencyKeyReused } from './errors.ts';

/** A request with an idempotency key, which makes retries safe. */
export interface KeyedRequest {
  /** The owner of the key: others may use the same key. */
  readonly scope: string;
  readonly key: string;
  /** A digest of everything that defines the request; equal for a retry. */
  readonly fingerprint: string;
}

/** The response to a request with an idempotency key. */
export interface IdempotentAnswer<T> {
  readonly answer: T;
  /** It was stored earlier, and nothing was executed this time. */
  readonly isReplay: boolean;
}

/** Responses by idempotency key, kept for 24 hours (see `idempotencyKeyLifetimeSeconds`). */
export interface IdempotencyKeys {
  /** The stored response to the same request, or undefined. Claims nothing and does not wait. */
  given<T>(request: KeyedRequest): ResultAsync<IdempotentAnswer<T> | undefined, IdempotencyKeyReused>;
  /**
   * Runs `work`, or returns the stored response to the same request. The response is committed together with what the
   * units of `work` store: after a crash or an Err neither remains, and a retry starts afresh. Of concurrent requests,
   * the first runs `work` and the others wait for it.
   *
   * `work` may be retried after a conflict with another transaction. It runs its units one after another; none of them may need to survive an Err. `T` must be serializable as JSON.
   */
  once<T, E>(
    request: KeyedRequest,
    work: () => ResultAsync<T, E>,
  ): ResultAsync<IdempotentAnswer<T>, E | IdempotencyKeyReused>;
}

import type { ResultAsync } from 'neverthrow';
import type { IdempotencyKeyReused } from './errors.ts';

/** A request to which its sender gave a key, so that it can be sent again without being carried out again. */
export interface KeyedRequest {
  /** Whose key it is: others may use the same. */
  readonly scope: string;
  readonly key: string;
  /** A digest of everything that makes the request what it is; a repetition has the same. */
  readonly fingerprint: string;
}

/** The answer to a request with a key. */
export interface GivenAnswer<T> {
  readonly answer: T;
  /** It was given before, and nothing was done this time. */
  readonly isReplay: boolean;
}

/** Answers under the keys of clients, kept for 24 hours. */
export interface IdempotencyKeys {
  /** The answer that the same request got before; undefined when it got none yet. Nothing is claimed, and no one waits. */
  given<T>(request: KeyedRequest): ResultAsync<GivenAnswer<T> | undefined, IdempotencyKeyReused>;
  /**
   * Does the work, or gives the answer that the same request got before. What the work stores by units of work and the
   * answer are committed together: a crash or an Err leaves neither, and the next request begins anew. Of simultaneous
   * ones the first does the work, and the others wait for it.
   *
   * `work` may be run again after a conflict with another transaction. It runs its units one after another; one that
   * must outlive its Err has no place in it. `T` is whatever JSON can say.
   */
  once<T, E>(
    request: KeyedRequest,
    work: () => ResultAsync<T, E>,
  ): ResultAsync<GivenAnswer<T>, E | IdempotencyKeyReused>;
}

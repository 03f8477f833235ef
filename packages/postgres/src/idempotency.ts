import type { SecretBox } from '@zonewright/core';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { Connection, Database } from './database.ts';
import { rethrow } from './failures.ts';
import { maybe, one, run } from './query.ts';
import { sql } from './sql.ts';
import { committed, inside } from './transaction.ts';

/** A request to which its sender gave a key, so that it can be sent again without being carried out again. */
export interface KeyedRequest {
  /** Whose key it is: others may use the same. */
  readonly scope: string;
  readonly key: string;
  /** A digest of everything that makes the request what it is; a repetition has the same. */
  readonly fingerprint: string;
}

/** The key was used for another request. */
export const idempotencyKeyReused = () => ({ type: 'IdempotencyKeyReused' }) as const;
export type IdempotencyKeyReused = ReturnType<typeof idempotencyKeyReused>;

/** The answer to a request with a key. */
export interface GivenAnswer<T> {
  readonly answer: T;
  /** It was given before, and nothing was done this time. */
  readonly isReplay: boolean;
}

/** Answers under the keys of clients, kept for 24 hours. */
export interface IdempotencyKeys {
  /** The answer that the same request got before; undefined when it got none yet. Nothing is claimed, and nobody waits. */
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

/** Keys in the table `idempotency_keys`. An answer may hold a secret that is shown once: `box` seals it. */
export const postgresIdempotencyKeys = (database: Database, box: SecretBox): IdempotencyKeys => ({
  given: <T>(request: KeyedRequest) => {
    const find = async () =>
      maybe<KeptRow>(database, sql.idempotencyKeys.given, { scope: request.scope, key: request.key }).andThen((row) =>
        row === undefined ? ok(undefined) : opened<T>(box, request, row),
      );
    return new ResultAsync(find().catch(rethrow));
  },
  once: <T, E>(request: KeyedRequest, work: () => ResultAsync<T, E>) =>
    new ResultAsync(
      committed(database, (transaction) =>
        claim(transaction, request).andThen((isFirst): ResultAsync<GivenAnswer<T>, E | IdempotencyKeyReused> => {
          if (!isFirst) return replay(transaction, box, request);
          return inside({ database, transaction }, work)
            .andThrough((answer) => keep(transaction, box, request, answer))
            .map((answer) => ({ answer, isReplay: false }));
        }),
      ),
    ),
});

/** Whether nobody has used the key: then it is this transaction's, and others wait for it. */
const claim = (on: Connection, { scope, key }: KeyedRequest): ResultAsync<boolean, never> =>
  maybe(on, sql.idempotencyKeys.claim, { scope, key }).map((claimed) => claimed !== undefined);

interface Kept<T> {
  readonly fingerprint: string;
  readonly answer: T;
}

const keep = (on: Connection, box: SecretBox, request: KeyedRequest, answer: unknown): ResultAsync<void, never> => {
  const { scope, key, fingerprint } = request;
  // The fingerprint is sealed as well: from a digest one can guess what was in a short body.
  const kept: Kept<unknown> = { fingerprint, answer };
  return run(on, sql.idempotencyKeys.keep, { scope, key, answer: box.seal(JSON.stringify(kept), contextOf(request)) });
};

interface KeptRow {
  readonly answer: string;
}

const replay = <T>(
  on: Connection,
  box: SecretBox,
  request: KeyedRequest,
): ResultAsync<GivenAnswer<T>, IdempotencyKeyReused> =>
  one<KeptRow>(on, sql.idempotencyKeys.kept, { scope: request.scope, key: request.key }).andThen((row) =>
    opened<T>(box, request, row),
  );

/** What cannot be opened is a failure: doing the work again would be worse than giving no answer. */
function opened<T>(box: SecretBox, request: KeyedRequest, row: KeptRow): Result<GivenAnswer<T>, IdempotencyKeyReused> {
  const { fingerprint, answer } = JSON.parse(box.open(row.answer, contextOf(request))) as Kept<T>;
  return fingerprint === request.fingerprint ? ok({ answer, isReplay: true }) : err(idempotencyKeyReused());
}

/** Binds a sealed answer to its place. JSON keeps the parts apart, whatever is in them. */
const contextOf = ({ scope, key }: KeyedRequest): string => `idempotency_keys.answer.${JSON.stringify([scope, key])}`;

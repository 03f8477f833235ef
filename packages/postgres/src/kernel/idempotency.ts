import {
  type IdempotencyKeyReused,
  type IdempotencyKeys,
  type IdempotentAnswer,
  idempotencyKeyReused,
  type KeyedRequest,
  idempotencyKeyLifetimeSeconds as lifetimeSeconds,
  type SecretBox,
} from '@zonewright/core';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { Connection, Database } from '../connection/database.ts';
import { rethrow } from '../connection/failures.ts';
import { maybe, one, run } from '../connection/query.ts';
import { inTransaction, withinTransaction } from '../connection/transaction.ts';
import { sql } from '../sql.ts';

/**
 * Idempotency keys in the table `idempotency_keys`. `box` encrypts responses, which may hold a secret that is shown
 * once.
 */
export const postgresIdempotencyKeys = (database: Database, box: SecretBox): IdempotencyKeys => ({
  given: <T>(request: KeyedRequest) => {
    const find = async () =>
      maybe<StoredResponseRow>(database, sql.idempotencyKeys.given, { ...placeOf(request), lifetimeSeconds }).andThen(
        (row) => (row === undefined ? ok(undefined) : opened<T>(box, request, row)),
      );
    return new ResultAsync(find().catch(rethrow));
  },
  once: <T, E>(request: KeyedRequest, work: () => ResultAsync<T, E>) =>
    new ResultAsync(
      inTransaction(database, (transaction) =>
        claim(transaction, request).andThen((isFirst): ResultAsync<IdempotentAnswer<T>, E | IdempotencyKeyReused> => {
          if (!isFirst) return replay(transaction, box, request);
          return withinTransaction({ database, transaction }, work)
            .andThrough((answer) => keep(transaction, box, request, answer))
            .map((answer) => ({ answer, isReplay: false }));
        }),
      ),
    ),
});

const placeOf = ({ scope, key }: KeyedRequest) => ({ scope, key });

/** Claims an unused key for this transaction; concurrent requests wait. Resolves to false if the key is used. */
const claim = (on: Connection, request: KeyedRequest): ResultAsync<boolean, never> =>
  maybe(on, sql.idempotencyKeys.claim, { ...placeOf(request), lifetimeSeconds }).map(
    (claimed) => claimed !== undefined,
  );

interface StoredResponse<T> {
  readonly fingerprint: string;
  readonly answer: T;
}

const keep = (on: Connection, box: SecretBox, request: KeyedRequest, answer: unknown): ResultAsync<void, never> => {
  const { scope, key, fingerprint } = request;
  // Encrypts the fingerprint too: short bodies could be guessed from a digest.
  const response: StoredResponse<unknown> = { fingerprint, answer };
  return run(on, sql.idempotencyKeys.keep, {
    scope,
    key,
    answer: box.seal(JSON.stringify(response), contextOf(request)),
  });
};

interface StoredResponseRow {
  readonly answer: string;
}

const replay = <T>(
  on: Connection,
  box: SecretBox,
  request: KeyedRequest,
): ResultAsync<IdempotentAnswer<T>, IdempotencyKeyReused> =>
  one<StoredResponseRow>(on, sql.idempotencyKeys.kept, placeOf(request)).andThen((row) => opened<T>(box, request, row));

/** A response that cannot be decrypted is a failure: repeating the work would be worse than an error. */
function opened<T>(
  box: SecretBox,
  request: KeyedRequest,
  row: StoredResponseRow,
): Result<IdempotentAnswer<T>, IdempotencyKeyReused> {
  // The box authenticates its content, so it was encrypted by this file.
  const { fingerprint, answer } = JSON.parse(box.open(row.answer, contextOf(request))) as StoredResponse<T>;
  return fingerprint === request.fingerprint ? ok({ answer, isReplay: true }) : err(idempotencyKeyReused());
}

/** Binds an encrypted response to its row. JSON separates the parts unambiguously. */
const contextOf = ({ scope, key }: KeyedRequest): string => `idempotency_keys.answer.${JSON.stringify([scope, key])}`;

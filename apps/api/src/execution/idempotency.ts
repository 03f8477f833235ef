import { createHash } from 'node:crypto';
import type { ApiError, Format } from '@zonewright/api-description';
import type { IdempotencyKeys, IdempotentAnswer, KeyedRequest } from '@zonewright/core';
import type { Context } from 'koa';
import { err, ok, okAsync, type ResultAsync } from 'neverthrow';
import type { Rendered, ShownResource } from '../http/respond.ts';

/** SHA-256 digest (hex) that identifies a request: a retry has the same one, any other request a different one. */
export const fingerprintOf = ({ method, url, request }: Context, format: Format): string =>
  createHash('sha256')
    .update(JSON.stringify([method, url, format, request.rawBody]))
    .digest('hex');

/** Longer bodies are not stored: clients could fill the database with copies of data it already holds. */
const maxStoredBytes = 64 * 1024;

/** A stored response; a long body is left out and read again on replay. */
type Kept = Rendered & { readonly isCut?: true };

/** The steps of a request. */
interface Work<T> {
  /** Whether `prepare` does slow work. */
  readonly isPrepared: boolean;
  readonly prepare: () => ResultAsync<unknown, ApiError>;
  readonly answer: (prepared: unknown) => ResultAsync<T, ApiError>;
}

/** Checks and reads for a replay, with the caller's current permissions. */
export interface Repetition {
  /** Whether the caller is still allowed to do this and to see its result. */
  readonly permitted: (shown: string | undefined) => ResultAsync<unknown, ApiError>;
  /** How to read the resource again; undefined when it has no route of its own. */
  readonly readingOf: (resource: ShownResource) => (() => ResultAsync<Rendered, ApiError>) | undefined;
}

/**
 * Executes the request, or replays the stored response. For a long response only status, header fields and resource
 * address are stored; a replay shows the resource's current state.
 */
export function onlyOnce(
  keys: IdempotencyKeys,
  request: KeyedRequest,
  { answer, ...slow }: Work<Rendered>,
  repetition: Repetition,
): ResultAsync<Rendered, ApiError> {
  let fresh: Rendered | undefined;
  const answerToKeep = (prepared: unknown) =>
    answer(prepared).map((rendered) => {
      fresh = rendered;
      return keptOf(rendered, repetition);
    });
  return preparedOnce(keys, request, { ...slow, answer: answerToKeep }).andThen(({ answer: response, isReplay }) =>
    isReplay ? repeated(response, repetition) : okAsync(fresh ?? response),
  );
}

/**
 * Slow work runs before the key is claimed, because a claim keeps a transaction open. Retries skip it: the stored
 * response is looked up first, and again after a failure, which the first request may have caused by finishing
 * meanwhile. Concurrent requests all prepare, but only one executes.
 */
function preparedOnce<T>(
  keys: IdempotencyKeys,
  request: KeyedRequest,
  { isPrepared, prepare, answer }: Work<T>,
): ResultAsync<IdempotentAnswer<T>, ApiError> {
  if (!isPrepared) return keys.once(request, () => prepare().andThen(answer));
  type Outcome = ResultAsync<IdempotentAnswer<T>, ApiError>;
  return keys.given<T>(request).andThen((earlier): Outcome => {
    if (earlier !== undefined) return okAsync(earlier);
    return prepare()
      .andThen((prepared) => keys.once(request, () => answer(prepared)))
      .orElse((refusal): Outcome => keys.given<T>(request).andThen((late) => (late ? ok(late) : err(refusal))));
  });
}

function keptOf(rendered: Rendered, { readingOf }: Repetition): Kept {
  const { body, ...rest } = rendered;
  const isLong = body !== undefined && Buffer.byteLength(body) > maxStoredBytes;
  const canBeRead = rest.resource !== undefined && readingOf(rest.resource) !== undefined;
  return isLong && canBeRead ? { ...rest, isCut: true } : rendered;
}

const repeated = (response: Kept, { permitted, readingOf }: Repetition): ResultAsync<Rendered, ApiError> => {
  const read = response.isCut === true && response.resource !== undefined ? readingOf(response.resource) : undefined;
  const whole = (): ResultAsync<Rendered, ApiError> =>
    read === undefined
      ? okAsync(response)
      : read().map(({ headers, body }) => ({
          ...response,
          headers: { ...response.headers, ...headers },
          ...(body === undefined ? {} : { body }),
        }));
  return permitted(response.resource?.iri)
    .andThen(whole)
    .map((answer) => ({ ...answer, headers: { ...answer.headers, [replayedField]: 'true' } }));
};

const replayedField = 'Idempotency-Replayed';

/** Whether `onlyOnce` replayed the response instead of executing the request. */
export const isReplayed = ({ headers }: Rendered): boolean => headers?.[replayedField] !== undefined;

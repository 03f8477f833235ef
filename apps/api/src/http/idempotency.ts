import { createHash } from 'node:crypto';
import type { GivenAnswer, IdempotencyKeys, KeyedRequest } from '@zonewright/core';
import type { Context } from 'koa';
import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { ApiError, HttpError } from '../errors/problems.ts';
import type { Format } from './negotiation.ts';
import type { Rendered, ShownResource } from './respond.ts';
import type { Route } from './route.ts';

const maxLength = 255;

/**
 * The key that a client gave its request (draft-ietf-httpapi-idempotency-key-header-07 section 2.1): a quoted string
 * (RFC 9651 section 3.3.3), or the same without quotation marks. Routes that do not replay answers do not look at it.
 */
export function idempotencyKey(
  ctx: Context,
  { isReplayable }: Pick<Route, 'isReplayable'>,
): Result<string | undefined, HttpError> {
  const { 'idempotency-key': [header, ...others] = [] } = ctx.req.headersDistinct;
  if (!isReplayable || header === undefined) return ok(undefined);
  const key = others.length === 0 ? unquoted(header) : undefined;
  const isValid = key !== undefined && key.length <= maxLength && /^[\x21-\x7e]+$/.test(key);
  return isValid ? ok(key) : err({ type: 'InvalidIdempotencyKey' });
}

/** Undefined when it begins like a quoted string and is none. With every character escaped it is twice as long. */
function unquoted(header: string): string | undefined {
  if (!header.startsWith('"')) return header;
  if (header.length > 2 * maxLength + 2) return undefined;
  const [, inner] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header) ?? [];
  return inner?.replaceAll(/\\(["\\])/g, '$1');
}

/** A digest (SHA-256, hex) of what makes a request what it is: a repetition has the same, every other one another. */
export const fingerprintOf = ({ method, url, request }: Context, format: Format): string =>
  createHash('sha256')
    .update(JSON.stringify([method, url, format, request.rawBody]))
    .digest('hex');

/** Answers with longer bodies are not kept whole: a client could fill the database with copies of what is there anyway. */
const maxKeptBytes = 64 * 1024;

/** An answer as it is kept; the body of a long one is left out, and read again when it is needed. */
type Kept = Rendered & { readonly isCut?: true };

/** What a request asks for. */
interface Work<T> {
  /** Whether `prepare` does slow work. */
  readonly isPrepared: boolean;
  readonly prepare: () => ResultAsync<unknown, ApiError>;
  readonly answer: (prepared: unknown) => ResultAsync<T, ApiError>;
}

/** What a repetition asks for before it gets the answer of before, with the rights the caller has now. */
export interface Repetition {
  /** Whether the caller may still do what they did. */
  readonly permitted: () => ResultAsync<void, ApiError>;
  /** How to read what an answer showed; undefined when it cannot be read by itself. */
  readonly readingOf: (resource: ShownResource) => (() => ResultAsync<Rendered, ApiError>) | undefined;
}

/**
 * Answers the request, or says again what was answered the last time. Of a long answer status, header fields and address
 * of the resource are kept, and a repetition shows the resource as it is now.
 */
export function onlyOnce(
  keys: IdempotencyKeys,
  request: KeyedRequest,
  { answer, ...slow }: Work<Rendered>,
  repetition: Repetition,
): ResultAsync<Rendered, ApiError> {
  let given: Rendered | undefined;
  const keeping = (prepared: unknown) =>
    answer(prepared).map((rendered) => {
      given = rendered;
      return keptOf(rendered, repetition);
    });
  return preparedOnce(keys, request, { ...slow, answer: keeping }).andThen(({ answer: kept, isReplay }) =>
    isReplay ? repeated(kept, repetition) : okAsync(given ?? kept),
  );
}

/**
 * Slow work comes before the key is claimed, because a claim keeps a transaction open. A repetition does without it:
 * the answer is looked for first, and again after a refusal, because the first request may have ended meanwhile and be
 * the reason. Requests that begin at the same moment all prepare, and one of them is carried out.
 */
function preparedOnce<T>(
  keys: IdempotencyKeys,
  request: KeyedRequest,
  { isPrepared, prepare, answer }: Work<T>,
): ResultAsync<GivenAnswer<T>, ApiError> {
  if (!isPrepared) return keys.once(request, () => prepare().andThen(answer));
  type Given = ResultAsync<GivenAnswer<T>, ApiError>;
  return keys.given<T>(request).andThen((found): Given => {
    if (found !== undefined) return okAsync(found);
    return prepare()
      .andThen((prepared) => keys.once(request, () => answer(prepared)))
      .orElse((refusal): Given => keys.given<T>(request).andThen((late) => (late ? ok(late) : err(refusal))));
  });
}

function keptOf(rendered: Rendered, { readingOf }: Repetition): Kept {
  const { body, ...rest } = rendered;
  const isLong = body !== undefined && Buffer.byteLength(body) > maxKeptBytes;
  const canBeRead = rest.resource !== undefined && readingOf(rest.resource) !== undefined;
  return isLong && canBeRead ? { ...rest, isCut: true } : rendered;
}

const repeated = (kept: Kept, { permitted, readingOf }: Repetition): ResultAsync<Rendered, ApiError> => {
  const read = kept.isCut === true && kept.resource !== undefined ? readingOf(kept.resource) : undefined;
  const whole = (): ResultAsync<Rendered, ApiError> =>
    read === undefined
      ? okAsync(kept)
      : read().map(({ headers, body }) => ({
          ...kept,
          headers: { ...kept.headers, ...headers },
          ...(body === undefined ? {} : { body }),
        }));
  return permitted()
    .andThen(whole)
    .map((answer) => ({ ...answer, headers: { ...answer.headers, [replayedField]: 'true' } }));
};

const replayedField = 'Idempotency-Replayed';

/** Whether `onlyOnce` repeated the answer, so that nothing was done. */
export const isReplayed = ({ headers }: Rendered): boolean => headers?.[replayedField] !== undefined;

import {
  type IdempotencyKeyReused,
  type IdempotencyKeys,
  type IdempotentAnswer,
  idempotencyKeyLifetimeSeconds,
  idempotencyKeyReused,
  type KeyedRequest,
} from '@zonewright/core';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import { secondsAfter } from './seconds-after.ts';
import { type IdempotencyKeyRow, type Unit } from './tables/tables.ts';
import type { MemoryUnitOfWork } from './unit-of-work.ts';

/** Stored responses, committed together with what `unitOfWork` stores. */
export const memoryIdempotencyKeys = (unitOfWork: MemoryUnitOfWork): IdempotencyKeys => ({
  given: <T>(request: KeyedRequest) =>
    unitOfWork.look((unit) => {
      const row = keptIn(unit, request);
      return row === undefined ? ok(undefined) : replayed<T>(row, request);
    }),
  once: <T, E>(request: KeyedRequest, work: () => ResultAsync<T, E>) =>
    unitOfWork.atomically((unit): ResultAsync<IdempotentAnswer<T>, E | IdempotencyKeyReused> => {
      const row = keptIn(unit, request);
      if (row !== undefined) return new ResultAsync(Promise.resolve(replayed<T>(row, request)));
      return work().map((answer): IdempotentAnswer<T> => {
        const { fingerprint } = request;
        const newRow = { fingerprint, answer: JSON.stringify(answer), createdAt: unit.now() };
        unit.tables.idempotencyKeys.set(placeOf(request), newRow);
        return { answer, isReplay: false };
      });
    }),
});

function keptIn({ tables, now }: Unit, request: KeyedRequest): IdempotencyKeyRow | undefined {
  const row = tables.idempotencyKeys.get(placeOf(request));
  return row !== undefined && secondsAfter(row.createdAt, idempotencyKeyLifetimeSeconds) >= now() ? row : undefined;
}

const replayed = <T>(
  row: IdempotencyKeyRow,
  request: KeyedRequest,
): Result<IdempotentAnswer<T>, IdempotencyKeyReused> =>
  row.fingerprint === request.fingerprint
    ? // The fingerprint matches, so the answer has this type.
      ok({ answer: JSON.parse(row.answer) as T, isReplay: true })
    : err(idempotencyKeyReused());

/** JSON separates the parts, whatever their content. */
const placeOf = ({ scope, key }: KeyedRequest): string => JSON.stringify([scope, key]);

import type { Outcome } from '@zonewright/engine';
import { err, ok, type Result } from 'neverthrow';

/** Converts an outcome of the engine, which has no dependencies, to a neverthrow result. */
export const resultOf = <T, E>(outcome: Outcome<T, E>): Result<T, E> =>
  outcome.ok ? ok(outcome.value) : err(outcome.error);

import type { Outcome } from '@zonewright/engine';
import { err, ok, type Result } from 'neverthrow';

/** An outcome of the engine, which knows no library, as a result. */
export const resultOf = <T, E>(outcome: Outcome<T, E>): Result<T, E> =>
  outcome.ok ? ok(outcome.value) : err(outcome.error);

import type { Outcome } from '../src/outcome.ts';

/** The value of an outcome expected to be a success; throws the error otherwise. */
export function okOf<T, E>(outcome: Outcome<T, E>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`Expected a value, got ${JSON.stringify(outcome.error)}`);
}

/** The error of an outcome expected to be a failure; throws otherwise. */
export function errorOf<T, E>(outcome: Outcome<T, E>): E {
  if (!outcome.ok) return outcome.error;
  throw new Error('Expected an error, got a value');
}

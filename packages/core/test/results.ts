import type { Result } from 'neverthrow';

/** The value of a result expected to be ok; throws the error otherwise. */
export const okOf = <T, E>(result: Result<T, E>): T =>
  result.match(
    (value) => value,
    (error) => {
      throw new Error(`Expected a value, got ${JSON.stringify(error)}`);
    },
  );

/** The error of a result expected to fail; throws otherwise. */
export const errorOf = <T, E>(result: Result<T, E>): E =>
  result.match(
    () => {
      throw new Error('Expected an error, got a value');
    },
    (error) => error,
  );

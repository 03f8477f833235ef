import type { Result } from 'neverthrow';

/** The value of a success; throws on a failure. */
export const valueOf = <T>(result: Result<T, unknown>): T =>
  result.match(
    (value) => value,
    (error) => {
      throw new Error(JSON.stringify(error));
    },
  );

/** The error of a failure; throws on a success. */
export const errorOf = <E>(result: Result<unknown, E>): E =>
  result.match(
    () => {
      throw new Error('It succeeded.');
    },
    (error) => error,
  );

/** The result of a check: a value or an error. Plain data, so that using this package takes no result library. */
export type Outcome<Value, Problem> = Success<Value> | Failure<Problem>;

/** The input is valid. */
export interface Success<Value> {
  readonly ok: true;
  readonly value: Value;
}

/** The input was rejected. */
export interface Failure<Problem> {
  readonly ok: false;
  readonly error: Problem;
}

/** Creates a success. */
export const success = <Value>(value: Value): Success<Value> => ({ ok: true, value });

/** Creates a failure. */
export const failure = <Problem>(error: Problem): Failure<Problem> => ({ ok: false, error });

/** What a check gives: a value, or what is wrong. Plain data, so that a user of this package needs no library for it. */
export type Outcome<Value, Problem> = Success<Value> | Failure<Problem>;

/** The input was in order. */
export interface Success<Value> {
  readonly ok: true;
  readonly value: Value;
}

/** The input was refused. */
export interface Failure<Problem> {
  readonly ok: false;
  readonly error: Problem;
}

/** The only way to make a success. */
export const success = <Value>(value: Value): Success<Value> => ({ ok: true, value });

/** The only way to make a failure. */
export const failure = <Problem>(error: Problem): Failure<Problem> => ({ ok: false, error });

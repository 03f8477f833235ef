import { memberPath, type Problem, problem } from './problem.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Where a value is in the input, and where its problems are collected. */
export interface Place {
  readonly path: string;
  readonly problems: Problem[];
}

/** Checks a value; returns undefined and records a problem if it is invalid. */
export type Shape<T> = (value: unknown, place: Place) => T | undefined;

/** Whether a JSON value is an object. */
const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The place of a member. */
export const memberOf = ({ path, problems }: Place, member: string): Place => ({
  path: memberPath(path, member),
  problems,
});

/** The place of an array entry. */
const entryOf = ({ path, problems }: Place, index: number): Place => ({ path: `${path}[${index}]`, problems });

/** Records a problem. */
export const refuse = ({ path, problems }: Place, code: string, message: string): undefined => {
  problems.push(problem(path, code, message));
  return undefined;
};

const wrongType = (place: Place, value: unknown, type: string): undefined =>
  value === undefined
    ? refuse(place, 'member.required', 'This member is required.')
    : refuse(place, 'member.type', `This value should be ${type}.`);

/** A string. */
export const text: Shape<string> = (value, place) =>
  typeof value === 'string' ? value : wrongType(place, value, 'a string');

/** A boolean. */
export const flag: Shape<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : wrongType(place, value, 'a boolean');

/** An integer in a closed interval. */
export const integer =
  (min: number, max: number): Shape<number> =>
  (value, place) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return wrongType(place, value, 'an integer');
    return value >= min && value <= max
      ? value
      : refuse(place, 'number.range', `This value should be between ${min} and ${max}.`);
  };

/** One of several strings. */
export const oneOf =
  <T extends string>(...choices: readonly T[]): Shape<T> =>
  (value, place) => {
    if (typeof value !== 'string') return wrongType(place, value, 'a string');
    return (
      choices.find((each) => each === value) ??
      refuse(place, 'value.choice', `This value should be one of: ${choices.join(', ')}.`)
    );
  };

/** An object with any members. */
export const object: Shape<JsonObject> = (value, place) =>
  isJsonObject(value) ? value : wrongType(place, value, 'an object');

/** An array; invalid entries are dropped. */
export const list =
  <T>(entry: Shape<T>): Shape<readonly T[]> =>
  (value, place) => {
    if (!Array.isArray(value)) return wrongType(place, value, 'a list');
    return value.flatMap((each: unknown, index) => {
      const checked = entry(each, entryOf(place, index));
      return checked === undefined ? [] : [checked];
    });
  };

type Members = Readonly<Record<string, Shape<unknown>>>;
type ShapeOf<M extends Members> = { readonly [Key in keyof M]: Exclude<ReturnType<M[Key]>, undefined> };

/** An object with these members; others are dropped. */
export const record =
  <M extends Members>(members: M): Shape<ShapeOf<M>> =>
  (value, place) => {
    const given = object(value, place);
    if (given === undefined) return undefined;
    const before = place.problems.length;
    const checked = Object.entries(members).map(([name, shape]) => [
      name,
      shape(Object.hasOwn(given, name) ? given[name] : undefined, memberOf(place, name)),
    ]);
    // Every member was checked by its shape without a problem.
    return place.problems.length > before ? undefined : (Object.fromEntries(checked) as ShapeOf<M>);
  };

/** A member with a default value. */
export const withDefault =
  <T>(shape: Shape<T>, value: T): Shape<T> =>
  (given, place) =>
    given === undefined ? value : shape(given, place);

/** An optional member; missing and null both become null. */
export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (given, place) =>
    given === undefined || given === null ? null : shape(given, place);

/** A problem of an input. */
export interface Problem {
  /** Path into the input: members with dots, indexes in brackets; "" for the whole input. */
  readonly path: string;
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly message: string;
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Where a value is in the input, and where its problems are collected. */
export interface Location {
  readonly path: string;
  readonly problems: Problem[];
  /** Whether what takes long to read was read before, and found valid. */
  readonly isValidated?: boolean;
}

/** Checks a value; returns undefined and records a problem if it is invalid. */
export type Shape<T> = (value: unknown, location: Location) => T | undefined;

/** Whether a JSON value is an object. */
const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The location of a member. */
export const memberOf = (location: Location, member: string): Location =>
  within(location, location.path === '' ? member : `${location.path}.${member}`);

/** The location of an array entry. */
const entryOf = (location: Location, index: number): Location => within(location, `${location.path}[${index}]`);

// Not a copy with all members, which would take most of the time of reading a configuration.
const within = ({ problems, isValidated = false }: Location, path: string): Location => ({
  path,
  problems,
  isValidated,
});

/** Records a problem. */
export const refuse = ({ path, problems }: Location, code: string, message: string): undefined => {
  problems.push({ path, code, message });
  return undefined;
};

const wrongType = (location: Location, value: unknown, type: string): undefined =>
  value === undefined
    ? refuse(location, 'member.required', 'This member is required.')
    : refuse(location, 'member.type', `This value should be ${type}.`);

/** A string. */
export const text: Shape<string> = (value, location) =>
  typeof value === 'string' ? value : wrongType(location, value, 'a string');

/** A boolean. */
export const flag: Shape<boolean> = (value, location) =>
  typeof value === 'boolean' ? value : wrongType(location, value, 'a boolean');

/** An integer in a closed interval. */
export const integer =
  (min: number, max: number): Shape<number> =>
  (value, location) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return wrongType(location, value, 'an integer');
    return value >= min && value <= max
      ? value
      : refuse(location, 'number.range', `This value should be between ${min} and ${max}.`);
  };

/** One of several strings. */
export const oneOf =
  <T extends string>(...choices: readonly T[]): Shape<T> =>
  (value, location) => {
    if (typeof value !== 'string') return wrongType(location, value, 'a string');
    return (
      choices.find((each) => each === value) ??
      refuse(location, 'value.choice', `This value should be one of: ${choices.join(', ')}.`)
    );
  };

/** An object with any members. */
export const object: Shape<JsonObject> = (value, location) =>
  isJsonObject(value) ? value : wrongType(location, value, 'an object');

/** An array; invalid entries are dropped. */
export const list =
  <T>(entry: Shape<T>): Shape<readonly T[]> =>
  (value, location) => {
    if (!Array.isArray(value)) return wrongType(location, value, 'a list');
    return value.flatMap((each: unknown, index) => {
      const checked = entry(each, entryOf(location, index));
      return checked === undefined ? [] : [checked];
    });
  };

/** The values that a shape accepts. */
export type Valid<S extends Shape<unknown>> = Exclude<ReturnType<S>, undefined>;

type Members = Readonly<Record<string, Shape<unknown>>>;
type ShapeOf<M extends Members> = { readonly [Key in keyof M]: Valid<M[Key]> };

/** An object with these members; others are dropped. */
export function record<M extends Members>(members: M): Shape<ShapeOf<M>> {
  const shapes = Object.entries(members);
  return (value, location) => {
    const given = object(value, location);
    if (given === undefined) return undefined;
    const before = location.problems.length;
    const checked: Record<string, unknown> = {};
    for (const [name, shape] of shapes)
      checked[name] = shape(Object.hasOwn(given, name) ? given[name] : undefined, memberOf(location, name));
    // Every member was checked by its shape without a problem.
    return location.problems.length > before ? undefined : (checked as ShapeOf<M>);
  };
}

/** A member with a default value. */
export const withDefault =
  <T>(shape: Shape<T>, value: T): Shape<T> =>
  (given, location) =>
    given === undefined ? value : shape(given, location);

/** An optional member; missing and null both become null. */
export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (given, location) =>
    given === undefined || given === null ? null : shape(given, location);

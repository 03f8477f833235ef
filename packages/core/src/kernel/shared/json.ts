/** A JSON value; objects are plain and have own members only. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object: what a merge patch is and what it applies to (RFC 7396). */
export interface JsonObject {
  readonly [member: string]: Json;
}

/** Excludes arrays and null: only objects are merged, everything else replaces (RFC 7396 section 2). */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `Array.isArray` by itself does not narrow the union to its read-only array. */
export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** The value if it is an object, else an empty object. */
export const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/**
 * Applies a merge patch (RFC 7396 section 2): objects are merged member by member, null removes a member, and
 * everything else (arrays included) replaces. Neither argument is modified.
 */
export function mergePatch(target: Json | undefined, patch: JsonObject): JsonObject;
export function mergePatch(target: Json | undefined, patch: Json): Json;
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) merged.delete(member);
    else merged.set(member, mergePatch(merged.get(member), value));
  }
  return Object.fromEntries(merged);
}

/** The document without null members, for requests where null means absent. Arrays keep their entries. */
export function withoutNulls(value: Json): Json {
  if (isJsonList(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const given = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(given.map(([name, member]) => [name, withoutNulls(member)]));
}

/**
 * The smallest merge patch from `before` to `after`. Neither may contain null, which a merge patch cannot set (RFC 7396
 * section 1).
 */
export function mergePatchBetween(before: JsonObject, after: JsonObject): JsonObject {
  const removed = Object.keys(before).filter((member) => !Object.hasOwn(after, member));
  const written = Object.entries(after).flatMap(([member, value]): (readonly [string, Json])[] => {
    const old = Object.hasOwn(before, member) ? before[member] : undefined;
    if (old === undefined) return [[member, value]];
    if (!isJsonObject(old) || !isJsonObject(value)) return isSameJson(old, value) ? [] : [[member, value]];
    const inner = mergePatchBetween(old, value);
    return Object.keys(inner).length === 0 ? [] : [[member, inner]];
  });
  return Object.fromEntries([...removed.map((member) => [member, null] as const), ...written]);
}

/** Whether two values are equal, ignoring the order of members. */
export function isSameJson(one: Json, other: Json): boolean {
  if (isJsonList(one) && isJsonList(other)) {
    return one.length === other.length && one.every((entry, index) => isSame(entry, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return one === other;
  const members = Object.keys(one);
  return (
    members.length === Object.keys(other).length &&
    members.every((member) => Object.hasOwn(other, member) && isSame(one[member], other[member]))
  );
}

/** The same for values that may be absent. */
export const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  one === undefined || other === undefined ? one === other : isSameJson(one, other);

/** A stored document, which is an object, as plain JSON. */
export const jsonOf = ({ text }: Pick<JsonDocument<object>, 'text'>): JsonObject =>
  // The text is that of the object.
  JSON.parse(text) as JsonObject;

/**
 * A validated value together with its JSON text.
 *
 * Storage keeps such documents as text, and most readers only pass them on: `text` goes into a response unchanged,
 * while `value` is parsed lazily for code that looks inside.
 */
export interface JsonDocument<T> {
  readonly text: string;
  readonly value: T;
}

export const jsonDocument = <T>(value: T): JsonDocument<T> => ({ text: JSON.stringify(value), value });

/** A document whose text was made by `jsonDocument`; it is not validated again. */
export const storedDocument = <T>(text: string): JsonDocument<T> => {
  let parsed: { readonly value: T } | undefined;
  return {
    text,
    get value() {
      // The caller knows the type of what it stored.
      parsed ??= { value: JSON.parse(text) as T };
      return parsed.value;
    },
  };
};

/** The object without undefined members. */
export const withoutUndefined = <T extends object>(value: T): T =>
  // Only optional members can be undefined, so the rest is still a T.
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

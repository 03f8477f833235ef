/** A JSON value; objects are plain and hold own members only. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Applies a merge patch (RFC 7396 section 2): objects merge member by member, null removes a member,
 * everything else, lists included, replaces. Neither argument is changed.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) merged.delete(member);
    else merged.set(member, mergePatch(merged.get(member), value));
  }
  return Object.fromEntries(merged);
}

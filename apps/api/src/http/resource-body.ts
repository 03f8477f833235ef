import { type InvalidInput, invalidInput, type Json, type JsonObject, violation } from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';

/**
 * The members of a resource body that a client can mean: linked-data keys and members that only reads have are
 * dropped, so that what was read can be sent back (RFC 7396 documents included).
 */
export const writableMembers = (body: JsonObject, readOnly: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith('@') && !readOnly.includes(name)));

/** Refuses a body that would put a nested item under another parent; naming the one it has is harmless. */
export function requireSameParent(
  body: JsonObject,
  member: string,
  allowed: readonly Json[],
): Result<void, InvalidInput> {
  const given = body[member];
  if (given === undefined || allowed.includes(given)) return ok();
  return err(
    invalidInput([violation(member, `${member}.change`, `The ${member} of an existing item cannot be changed.`)]),
  );
}

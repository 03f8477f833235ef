import {
  type InvalidInput,
  invalidInput,
  isJsonObject,
  type Json,
  type JsonObject,
  violation,
  violationsUnder,
} from '@zonewright/core';
import { err, ok, Result } from 'neverthrow';
import type { JsonBody } from '../http/body.ts';

/**
 * The members of a resource body that a client can mean: linked-data keys and members that only reads have are
 * dropped, so that what was read can be sent back (RFC 7396 documents included).
 */
export const writableMembers = (body: JsonObject, readOnly: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name]) => !name.startsWith('@') && !readOnly.includes(name) && name !== addedByAdminFrontEnd,
    ),
  );

/** API Platform Admin puts the IRI of what it has read in the place of `id`, and sends back the id under this name. */
const addedByAdminFrontEnd = 'originId';

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

/** The entries of a list in a body, and how violations that start at the place in it are reported. */
export interface ListEntries {
  readonly entries: readonly Json[];
  readonly under: (error: InvalidInput) => InvalidInput;
}

/**
 * The entries of a body that is a list: a JSON array, or a collection as it is read, with its `member`. Each entry that
 * is an object is taken through `read`.
 */
export function listEntries(
  body: JsonBody,
  read: (entry: JsonObject) => Result<JsonObject, InvalidInput>,
): Result<ListEntries, InvalidInput> {
  const list: Json | undefined = isJsonObject(body) ? body['member'] : body;
  const prefix = isJsonObject(body) ? 'member' : '';
  if (!Array.isArray(list)) {
    const code = list === undefined ? 'member.required' : 'member.type';
    return err(invalidInput([violation('member', code, 'The collection should have a "member" list.')]));
  }
  // `Array.isArray` does not narrow a union that holds read-only lists.
  const entries = (list as readonly Json[]).map(
    (entry, index): Result<Json, InvalidInput> =>
      isJsonObject(entry) ? read(entry).mapErr(at(`${prefix}[${index}]`)) : ok(entry),
  );
  return Result.combineWithAllErrors(entries)
    .map((found) => ({ entries: found, under: at(prefix) }))
    .mapErr((errors) => invalidInput(errors.flatMap(({ violations }) => violations)));
}

const at =
  (place: string) =>
  ({ violations }: InvalidInput): InvalidInput =>
    invalidInput(violationsUnder(place, violations));

import {
  type InvalidInput,
  invalidInput,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  violation,
  violationsUnder,
} from '@zonewright/core';
import { err, ok, Result } from 'neverthrow';

/**
 * The members of a body that a client can set: drops JSON-LD keys and read-only members, so that clients can send back
 * what they read (also as a merge patch).
 */
export const writableMembers = (body: JsonObject, readOnly: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name]) => !name.startsWith('@') && !readOnly.includes(name) && name !== addedByAdminFrontEnd,
    ),
  );

/** API Platform Admin replaces `id` with the IRI, and sends the original id under this name. */
const addedByAdminFrontEnd = 'originId';

/** Rejects a body that would move a nested item to another parent; naming its current parent is fine. */
export function requireSameParent(
  body: JsonObject,
  member: string,
  allowed: readonly Json[],
): Result<void, InvalidInput> {
  const requested = body[member];
  if (requested === undefined || allowed.includes(requested)) return ok();
  const message = `This is another ${member} than that of the request's address. Leave this member out.`;
  return err(invalidInput([violation(member, `${member}.change`, message)]));
}

/** The entries of a list in a body; violations are reported relative to their position. */
export interface ListEntries {
  readonly entries: readonly Json[];
  readonly under: (error: InvalidInput) => InvalidInput;
}

/**
 * Reads the entries of a body that is a JSON array or a collection with `member`, passing each object through `read`.
 */
export function listEntries(
  body: JsonObject | readonly Json[],
  read: (entry: JsonObject) => Result<JsonObject, InvalidInput>,
): Result<ListEntries, InvalidInput> {
  const list: Json | undefined = isJsonObject(body) ? body['member'] : body;
  const prefix = isJsonObject(body) ? 'member' : '';
  if (!isJsonList(list)) {
    const code = list === undefined ? 'member.required' : 'member.type';
    return err(invalidInput([violation('member', code, 'The collection should have a "member" list.')]));
  }
  const entries = list.map(
    (entry, index): Result<Json, InvalidInput> =>
      isJsonObject(entry) ? read(entry).mapErr(at(`${prefix}[${index}]`)) : ok(entry),
  );
  return Result.combineWithAllErrors(entries)
    .map((values) => ({ entries: values, under: at(prefix) }))
    .mapErr((errors) => invalidInput(errors.flatMap(({ violations }) => violations)));
}

const at =
  (place: string) =>
  ({ violations }: InvalidInput): InvalidInput =>
    invalidInput(violationsUnder(place, violations));

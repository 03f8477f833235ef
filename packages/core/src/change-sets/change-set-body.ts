import { err, ok, Result } from 'neverthrow';
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../shared/merge-patch.ts';
import { coded, parse } from '../shared/parse.ts';
import { type InvalidInput, invalidInput, joined, under, violation } from '../shared/violation.ts';
import { ChangeSetDescription, ChangeSetTitle } from './change-set.ts';
import { type OperationReader, parseOperations } from './operation.ts';
import type { WrittenContent } from './write-content.ts';

/** What a client writes of a new change set. */
export interface ChangeSetDraft {
  readonly title: ChangeSetTitle;
  readonly description: ChangeSetDescription;
  /** Undefined: the current revision. */
  readonly base: number | undefined;
  readonly content: WrittenContent;
}

/** What a client changes of a change set; what is undefined stays. */
export interface ChangeSetChange {
  readonly title: ChangeSetTitle | undefined;
  readonly description: ChangeSetDescription | undefined;
  readonly content: { readonly base: number | undefined; readonly written: WrittenContent } | undefined;
}

const object = z.custom<JsonObject>(isJsonObject, coded('member.type', 'This value should be an object.'));
const contentMembers = {
  base: z.int().optional(),
  patch: object.optional(),
  operations: z.array(z.unknown()).optional(),
} as const;

/** A new change set as it is written; `patch` and `operations` are taken as they stand. */
const ChangeSetBody = z.strictObject({
  title: ChangeSetTitle.prefault(''),
  description: ChangeSetDescription.prefault(''),
  ...contentMembers,
});

/** A change of one: a merge patch (RFC 7396), in which null gives texts their default. */
const ChangeSetPatch = z.strictObject({
  title: ChangeSetTitle.optional(),
  description: ChangeSetDescription.optional(),
  ...contentMembers,
});

/** Checks a new change set as a client wrote it. */
export const parseChangeSet = (body: JsonObject, read: OperationReader): Result<ChangeSetDraft, InvalidInput> =>
  Result.combineWithAllErrors([parse(ChangeSetBody, given(body)), contentIn(body, read)])
    .mapErr(joined)
    .andThen(([{ title, description, base }, content]) =>
      content === undefined
        ? err(invalidInput([violation('patch', 'member.required', 'A patch or operations are required.')]))
        : ok({ title, description, base, content }),
    );

/** Checks a change of a change set as a client wrote it. */
export const parseChangeSetChange = (body: JsonObject, read: OperationReader): Result<ChangeSetChange, InvalidInput> =>
  Result.combineWithAllErrors([parse(ChangeSetPatch, given({ ...body, ...emptied(body) })), contentIn(body, read)])
    .mapErr(joined)
    .andThen(([{ title, description, base }, written]) => {
      if (written === undefined && base !== undefined) return err(invalidInput([baseAlone]));
      return ok({ title, description, content: written && { base, written } });
    });

const baseAlone = violation(
  'base',
  'changeSet.base',
  'The base can be changed together with a patch or operations only.',
);

/** Members that are not null: null says that a member is not given. */
const given = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** Texts that are null in a merge patch are empty. */
const emptied = (body: JsonObject): JsonObject =>
  Object.fromEntries(['title', 'description'].flatMap((name) => (body[name] === null ? [[name, '']] : [])));

/** The patch or the operations; what is wrong with their types is found by the schemas. */
function contentIn(body: JsonObject, read: OperationReader): Result<WrittenContent | undefined, InvalidInput> {
  const { patch, operations } = given(body);
  if (patch !== undefined && operations !== undefined) {
    return err(invalidInput([violation('patch', 'changeSet.content', 'Give either a patch or operations, not both.')]));
  }
  if (isJsonObject(patch)) return ok({ patch });
  if (!Array.isArray(operations)) return ok(undefined);
  // `Array.isArray` does not narrow to the read-only list of the union.
  const entries = operations as readonly Json[];
  return parseOperations(entries, read)
    .map((parsed) => ({ operations: parsed, texts: entries.filter(isJsonObject) }))
    .mapErr(under('operations'));
}

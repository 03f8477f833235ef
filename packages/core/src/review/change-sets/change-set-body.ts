import { err, ok, Result } from 'neverthrow';
import { z } from 'zod';
import { isJsonList, isJsonObject, type JsonObject } from '../../kernel/shared/json.ts';
import { coded, parse } from '../../kernel/shared/parse.ts';
import { type InvalidInput, invalidInput, joined, under, violation } from '../../kernel/shared/violation.ts';
import { ChangeSetDescription, ChangeSetTitle } from './change-set.ts';
import { type OperationReader, parseOperations } from './operation.ts';
import type { WrittenContent } from './write-content.ts';

/** The client-supplied part of a new change set. */
export interface ChangeSetDraft {
  readonly title: ChangeSetTitle;
  readonly description: ChangeSetDescription;
  /** Undefined: the current revision. */
  readonly base: number | undefined;
  readonly content: WrittenContent;
}

/** A client's change of a change set; undefined members stay unchanged. */
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

/** The body of a new change set; `patch` and `operations` are parsed separately. */
const ChangeSetBody = z.strictObject({
  title: ChangeSetTitle.prefault(''),
  description: ChangeSetDescription.prefault(''),
  ...contentMembers,
});

/** A merge patch (RFC 7396) of a change set; null resets a text to its default. */
const ChangeSetPatch = z.strictObject({
  title: ChangeSetTitle.optional(),
  description: ChangeSetDescription.optional(),
  ...contentMembers,
});

/** Parses the body of a new change set. */
export const parseChangeSet = (body: JsonObject, read: OperationReader): Result<ChangeSetDraft, InvalidInput> =>
  Result.combineWithAllErrors([parse(ChangeSetBody, given(body)), contentIn(body, read)])
    .mapErr(joined)
    .andThen(([{ title, description, base }, content]) =>
      content === undefined
        ? err(invalidInput([violation('patch', 'member.required', 'A patch or operations are required.')]))
        : ok({ title, description, base, content }),
    );

/** Parses the body of a change. */
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

/** The members that are not null; null means absent. */
const given = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** Replaces null texts of a merge patch with empty ones. */
const emptied = (body: JsonObject): JsonObject =>
  Object.fromEntries(['title', 'description'].flatMap((name) => (body[name] === null ? [[name, '']] : [])));

/** The patch or the operations; the schemas have already checked their types. */
function contentIn(body: JsonObject, read: OperationReader): Result<WrittenContent | undefined, InvalidInput> {
  const { patch, operations } = given(body);
  if (patch !== undefined && operations !== undefined) {
    return err(invalidInput([violation('patch', 'changeSet.content', 'Give either a patch or operations, not both.')]));
  }
  if (isJsonObject(patch)) return ok({ patch });
  if (!isJsonList(operations)) return ok(undefined);
  return parseOperations(operations, read)
    .map((parsed) => ({ operations: parsed, texts: operations.filter(isJsonObject) }))
    .mapErr(under('operations'));
}

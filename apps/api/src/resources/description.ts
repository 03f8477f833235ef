import { oncePer } from '@zonewright/core';
import { z } from 'zod';

/** One kind of resource: its name in linked data, and the members that reads have. */
export interface ResourceDescription {
  /** `@type`, and the name of its context. */
  readonly type: string;
  /** Name of this form of it, where it is shown in more than one; else the type. */
  readonly name?: string;
  /** The word for it in paths and titles, in the singular. */
  readonly title: string;
  readonly description: string;
  /** What it consists of that has a type of its own and no address. */
  readonly parts?: readonly ResourceDescription[];
  /** Members without linked-data keys, with what is known of each: `readOnly`, links, units. */
  readonly schema: z.ZodObject;
  /** It may be shown without being stored; then it has no address. */
  readonly mayBeUnstored?: true;
}

/** What a route answers when all went well. */
export type AnswerDescription =
  | {
      readonly kind: 'item';
      readonly status: 200 | 201;
      readonly resource: ResourceDescription;
      /** It may be there already, or not be needed: the status is 200 then. */
      readonly mayBeFound?: true;
    }
  | {
      readonly kind: 'list';
      readonly status: 200;
      readonly resource: ResourceDescription;
      /** What the list is without linked data: a bare array unless said otherwise. */
      readonly plainForm?: 'object';
    }
  | { readonly kind: 'object'; readonly status: 200 | 201; readonly title: string; readonly schema: z.ZodType }
  | { readonly kind: 'nothing'; readonly status: 204 };

/** One item of a resource. */
export const item = (resource: ResourceDescription): AnswerDescription => ({ kind: 'item', status: 200, resource });

/** An item that the request made. */
export const created = (resource: ResourceDescription): AnswerDescription => ({
  kind: 'item',
  status: 201,
  resource,
});

/** An item that the request made, unless that was done before or there was nothing to do. */
export const createdOrFound = (resource: ResourceDescription): AnswerDescription => ({
  kind: 'item',
  status: 201,
  resource,
  mayBeFound: true,
});

/** A page of a list of items. */
export const list = (resource: ResourceDescription): AnswerDescription => ({ kind: 'list', status: 200, resource });

/** A page of a list that is a collection object in both formats. */
export const listAsObject = (resource: ResourceDescription): AnswerDescription => ({
  kind: 'list',
  status: 200,
  resource,
  plainForm: 'object',
});

/** An object that is no resource: it has no address of its own. */
export const object = (title: string, schema: z.ZodType, status: 200 | 201 = 200): AnswerDescription => ({
  kind: 'object',
  status,
  title,
  schema,
});

/** No body at all. */
export const nothing: AnswerDescription = { kind: 'nothing', status: 204 };

/** What a request carries. */
export type BodyDescription =
  | { readonly kind: 'whole'; readonly schema: z.ZodType }
  | { readonly kind: 'mergePatch'; readonly schema: z.ZodType }
  | { readonly kind: 'list'; readonly schema: z.ZodType };

/** An object with all its members. */
export const whole = (schema: z.ZodType): BodyDescription => ({ kind: 'whole', schema });

/** A merge patch (RFC 7396) on an object: any of its members, null for those that are to go. */
export const mergePatchOn = (schema: z.ZodType): BodyDescription => ({ kind: 'mergePatch', schema });

/** A list of objects: a JSON array, or a collection with its `member`. */
export const listOf = (schema: z.ZodType): BodyDescription => ({ kind: 'list', schema });

/** A timestamp: RFC 3339, UTC, milliseconds. */
export const timestamp = (description: string) =>
  z.iso.datetime({ precision: 3 }).meta({ format: 'date-time', readOnly: true, description });

/** A member that the service alone writes. */
export const readOnly = <S extends z.ZodType>(schema: S, description: string): S =>
  schema.meta({ ...schema.meta(), readOnly: true, description });

/** What is said of a member: its meaning, and values where none follows from its type. */
export interface MemberText {
  readonly description: string;
  readonly examples?: readonly unknown[];
}

/** The same members, with what is said of them. */
export const described = (shape: z.ZodRawShape, texts: Readonly<Record<string, MemberText>>): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, member]) => {
      const text = texts[name];
      // A shape of Zod holds its core types, and every member here was made by `z`.
      return [name, text === undefined ? member : (member as z.ZodType).meta({ ...text, ...copied(text) })];
    }),
  );

const copied = ({ examples }: MemberText) => (examples === undefined ? {} : { examples: [...examples] });

/** The address of another resource, path-absolute; of one of several types where a list of them is given. */
export const link = (type: string | readonly string[], description: string) =>
  z
    .string()
    .regex(/^\/api\//)
    .meta({ format: 'iri-reference', 'x-resource': type, description });

/** An opaque token, for examples: it opens nothing. */
export const exampleToken = 'VGhpcy1pcy1hbi1leGFtcGxlLW5vdC1hLXNlY3JldA';

/** The id of a resource. */
export const uuid = (description: string) => z.uuid().meta({ readOnly: true, description });

/** Names of the members that the service alone writes: bodies may hold them, and nothing follows from it. */
export const readOnlyMembers = oncePer(({ schema }: ResourceDescription): readonly string[] =>
  Object.entries(schema.shape)
    .filter(([, member]) => isReadOnly(member))
    .map(([name]) => name),
);

/** Optional members may say it outside or inside. */
const isReadOnly = (member: z.core.$ZodType): boolean =>
  z.globalRegistry.get(member)?.['readOnly'] === true ||
  (member instanceof z.ZodOptional && isReadOnly(member.unwrap()));

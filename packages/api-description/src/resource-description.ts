import { memoized } from '@zonewright/core';
import { z } from 'zod';

/** Describes a resource type: its name in linked data and the members that reads return. */
export interface ResourceDescription {
  /** `@type`, and the name of the context. */
  readonly type: string;
  /** Name of this representation if the type has several; defaults to the type. */
  readonly name?: string;
  /** Singular noun for paths and titles. */
  readonly title: string;
  readonly description: string;
  /** Embedded parts with a type of their own but no address. */
  readonly parts?: readonly ResourceDescription[];
  /** Members without JSON-LD keys, annotated with `readOnly`, links and units. */
  readonly schema: z.ZodObject;
  /** Whether linked data is the default format. */
  readonly isLinkedFirst?: true;
  /** Whether it may be shown without being stored, and so without an address. */
  readonly mayBeUnstored?: true;
}

/** Describes the successful response of a route. */
export type AnswerDescription =
  | {
      readonly kind: 'item';
      readonly status: 200 | 201;
      readonly resource: ResourceDescription;
      /** Whether the item may exist already or not be needed; the status is then 200. */
      readonly mayBeFound?: true;
    }
  | {
      readonly kind: 'list';
      readonly status: 200;
      readonly resource: ResourceDescription;
      /** The list's form in plain JSON; a bare array by default. */
      readonly plainForm?: 'object';
    }
  | {
      readonly kind: 'object';
      readonly status: 200 | 201 | 202;
      readonly title: string;
      readonly schema: z.ZodType;
      /** Whether it has an entity tag, as resources have. */
      readonly isTagged?: true;
    }
  | { readonly kind: 'nothing'; readonly status: 204 }
  /** Another address, for browsers. */
  | { readonly kind: 'redirect'; readonly status: 303; readonly to: string };

/** Response: one item. */
export const item = (resource: ResourceDescription): AnswerDescription => ({ kind: 'item', status: 200, resource });

/** Response: a newly created item. */
export const created = (resource: ResourceDescription): AnswerDescription => ({
  kind: 'item',
  status: 201,
  resource,
});

/** Response: a newly created item, or 200 if it exists or nothing was to be done. */
export const createdOrFound = (resource: ResourceDescription): AnswerDescription => ({
  kind: 'item',
  status: 201,
  resource,
  mayBeFound: true,
});

/** Response: a page of a list. */
export const list = (resource: ResourceDescription): AnswerDescription => ({ kind: 'list', status: 200, resource });

/** Response: a page of a list that is a collection object in both formats. */
export const listAsObject = (resource: ResourceDescription): AnswerDescription => ({
  kind: 'list',
  status: 200,
  resource,
  plainForm: 'object',
});

/** Response: an object that is not a resource, so it has no address. */
export const object = (title: string, schema: z.ZodType, status: 200 | 201 | 202 = 200): AnswerDescription => ({
  kind: 'object',
  status,
  title,
  schema,
});

/** Whether responses have an entity tag. */
export const isTagged = (answers: AnswerDescription): boolean =>
  'resource' in answers || (answers.kind === 'object' && answers.isTagged === true);

/** Response: no body. */
export const nothing: AnswerDescription = { kind: 'nothing', status: 204 };

/** Response: the browser is sent elsewhere; `to` says where, for people. */
export const redirect = (to: string): AnswerDescription => ({ kind: 'redirect', status: 303, to });

/** Describes a request body. */
export type BodyDescription =
  | { readonly kind: 'whole'; readonly schema: z.ZodType }
  | { readonly kind: 'mergePatch'; readonly schema: z.ZodType }
  | { readonly kind: 'list'; readonly schema: z.ZodType };

/** Body: a complete object. */
export const whole = (schema: z.ZodType): BodyDescription => ({ kind: 'whole', schema });

/** Body: a merge patch (RFC 7396) on an object; null removes a member. */
export const mergePatchOn = (schema: z.ZodType): BodyDescription => ({ kind: 'mergePatch', schema });

/** Body: a list of objects, as a JSON array or as a collection with `member`. */
export const listOf = (schema: z.ZodType): BodyDescription => ({ kind: 'list', schema });

/** An RFC 3339 timestamp in UTC with milliseconds. */
export const timestamp = (description: string) =>
  z.iso.datetime({ precision: 3 }).meta({ format: 'date-time', readOnly: true, description });

/** Marks a member that only the service writes. */
export const readOnly = <S extends z.ZodType>(schema: S, description: string): S =>
  schema.meta({ ...schema.meta(), readOnly: true, description });

/** Documentation of a member; examples are for types that imply none. */
export interface MemberText {
  readonly description: string;
  readonly examples?: readonly unknown[];
}

/** Adds documentation to the members of a shape. */
export const described = (shape: z.ZodRawShape, texts: Readonly<Record<string, MemberText>>): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, member]) => {
      const text = texts[name];
      // Zod's shape type is wider than `ZodType`, but every member here was made by `z`.
      return [name, text === undefined ? member : (member as z.ZodType).meta({ ...text, ...copied(text) })];
    }),
  );

const copied = ({ examples }: MemberText) => (examples === undefined ? {} : { examples: [...examples] });

/** The path-absolute IRI of another resource; a list of types allows any of them. */
export const link = (type: string | readonly string[], description: string) =>
  z
    .string()
    .regex(/^\/api\//)
    .meta({ format: 'iri-reference', 'x-resource': type, description });

/** The IRI of another resource, which only the service writes. */
export const readOnlyLink = (type: string, description: string) => link(type, description).meta({ readOnly: true });

/** An example token that grants access to nothing. */
export const exampleToken = 'VGhpcy1pcy1hbi1leGFtcGxlLW5vdC1hLXNlY3JldA';

/** The id of a resource. */
export const uuid = (description: string) => z.uuid().meta({ readOnly: true, description });

/** Names of read-only members: request bodies may contain them, and they are ignored. */
export const readOnlyMembers = memoized(({ schema }: ResourceDescription): readonly string[] =>
  Object.entries(schema.shape)
    .filter(([, member]) => isReadOnly(member))
    .map(([name]) => name),
);

/** An optional member carries the mark on itself or on its inner schema. */
const isReadOnly = (member: z.core.$ZodType): boolean =>
  z.globalRegistry.get(member)?.['readOnly'] === true ||
  (member instanceof z.ZodOptional && isReadOnly(member.unwrap()));

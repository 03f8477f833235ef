import { memoized } from '@zonewright/core';
import { z } from 'zod';
import type { ResourceDescription } from '../resource-description.ts';
import { type NestedMember, nestedMembers } from './nested-members.ts';
import { type MemberValue, valueOf } from './values.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A member of a class: its value and which side writes it. */
export interface Member {
  readonly name: string;
  readonly value: MemberValue;
  readonly description: string | undefined;
  readonly isReadable: boolean;
  readonly isWriteable: boolean;
  /** Whether creating an item requires it. */
  readonly isRequired: boolean;
  /** The literals inside a JSON object, by path; empty for other values. */
  readonly nested: readonly NestedMember[];
}

/** Converts schemas to JSON Schema, marking embedded resources with their type. */
export type ReadSchema = (schema: z.ZodType) => JsonSchema;

/** Creates a reader that marks an embedded resource with `x-embeds` and its type. */
export function schemaReader(resources: readonly ResourceDescription[]): ReadSchema {
  const types = new Map<unknown, string>(resources.map(({ schema, type }) => [schema, type]));
  return memoized((schema: z.ZodType) => readWith(schema, types));
}

const readWith = (schema: z.ZodType, types: ReadonlyMap<unknown, string>): JsonSchema =>
  z.toJSONSchema(schema, {
    // The input side is the same JSON, and the only side that JSON Schema can describe for schemas with transforms.
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      const type = path.length === 0 ? undefined : types.get(zodSchema);
      if (type !== undefined) jsonSchema['x-embeds'] = type;
    },
  });

/** The members of an object. Alternatives are merged: only members that all of them require are required. */
interface Shape {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

const noShape: Shape = { properties: {}, required: [] };

function shapeOf({ properties = {}, required = [], anyOf = [], allOf = [] }: JsonSchema): Shape {
  const own: Shape = {
    properties: Object.fromEntries(
      Object.entries(properties).flatMap(([name, schema]) => (typeof schema === 'object' ? [[name, schema]] : [])),
    ),
    required,
  };
  const [first = noShape, ...others] = anyOf.map(shapeOf);
  const common = first.required.filter((name) => others.every((other) => other.required.includes(name)));
  const alternatives = { ...merged([first, ...others]), required: common };
  return merged([own, alternatives, ...allOf.map(shapeOf)]);
}

/** The first shape with a member determines its schema and its position. */
function merged(shapes: readonly Shape[]): Shape {
  const named = shapes.map(({ properties }) => properties);
  return {
    properties: Object.fromEntries(
      [...named, ...named.toReversed()].flatMap((properties) => Object.entries(properties)),
    ),
    required: shapes.flatMap(({ required }) => required),
  };
}

/** The schemas that describe a class: what reads return, what writes accept, and what creation requires. */
export interface ClassSchemas {
  readonly read: readonly JsonSchema[];
  readonly written: readonly JsonSchema[];
  readonly created: readonly JsonSchema[];
}

/** The members of a class; those that reads return come first. */
export function membersOf(schemas: ClassSchemas): readonly Member[] {
  const readable = merged(schemas.read.map(shapeOf));
  const writeable = merged(schemas.written.map(shapeOf));
  const fresh = merged(schemas.created.map(shapeOf));
  return Object.entries(merged([readable, writeable]).properties).map(([name, schema]) => ({
    name,
    ...contentOf(name, schema),
    description: schema.description,
    isReadable: Object.hasOwn(readable.properties, name),
    isWriteable: Object.hasOwn(writeable.properties, name),
    isRequired: fresh.required.includes(name),
  }));
}

function contentOf(name: string, schema: JsonSchema): Pick<Member, 'value' | 'nested'> {
  const value = valueOf(schema);
  return { value, nested: value.kind === 'json' && !value.isList ? nestedMembers(name, schema) : [] };
}

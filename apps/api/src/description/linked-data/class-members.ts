import { z } from 'zod';
import type { ResourceDescription } from '../../resources/description.ts';
import { type NestedMember, nestedMembers } from './nested-members.ts';
import { type MemberValue, valueOf } from './values.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A member of a class: what it holds, and who writes it. */
export interface Member {
  readonly name: string;
  readonly value: MemberValue;
  readonly description: string | undefined;
  readonly isReadable: boolean;
  readonly isWriteable: boolean;
  /** Whether a client that makes a new item must give it. */
  readonly isRequired: boolean;
  /** What can be read inside a JSON object, by its path; empty for all other values. */
  readonly nested: readonly NestedMember[];
}

/** Reads schemas as JSON Schema; resources within them are marked by their type. */
export type ReadSchema = (schema: z.ZodType) => JsonSchema;

/** Reads schemas with the resources of the table in mind: `x-embeds` names the type of one that is within another. */
export function schemaReader(resources: readonly ResourceDescription[]): ReadSchema {
  const types = new Map<unknown, string>(resources.map(({ schema, type }) => [schema, type]));
  const known = new Map<z.ZodType, JsonSchema>();
  return (schema) => {
    const read = known.get(schema) ?? readWith(schema, types);
    known.set(schema, read);
    return read;
  };
}

const readWith = (schema: z.ZodType, types: ReadonlyMap<unknown, string>): JsonSchema =>
  z.toJSONSchema(schema, {
    // The side that clients write is the same JSON, and the only one that schemas with transforms can describe.
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      const type = path.length === 0 ? undefined : types.get(zodSchema);
      if (type !== undefined) jsonSchema['x-embeds'] = type;
    },
  });

/** The members of objects, as one object: those of alternatives too, of which only common ones are required. */
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
  const alternatives = { ...together([first, ...others]), required: common };
  return together([own, alternatives, ...allOf.map(shapeOf)]);
}

/** The first to name a member says what it is, and where it stands. */
function together(shapes: readonly Shape[]): Shape {
  const named = shapes.map(({ properties }) => properties);
  return {
    properties: Object.fromEntries(
      [...named, ...named.toReversed()].flatMap((properties) => Object.entries(properties)),
    ),
    required: shapes.flatMap(({ required }) => required),
  };
}

/** Which schemas describe a class: what reads have, what writes may have, and what a new item must have. */
export interface ClassSchemas {
  readonly read: readonly JsonSchema[];
  readonly written: readonly JsonSchema[];
  readonly created: readonly JsonSchema[];
}

/** The members of a class, those of reads first. */
export function membersOf(schemas: ClassSchemas): readonly Member[] {
  const readable = together(schemas.read.map(shapeOf));
  const writeable = together(schemas.written.map(shapeOf));
  const fresh = together(schemas.created.map(shapeOf));
  return Object.entries(together([readable, writeable]).properties).map(([name, schema]) => ({
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

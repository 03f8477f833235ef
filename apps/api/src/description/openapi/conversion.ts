import { z } from 'zod';
import { mapSubschemas, refTo, type Schema } from './json-schema.ts';

/** Names under which schemas are in the document: where one is part of another, it is referred to. */
export type SchemaNames = ReadonlyMap<z.core.$ZodType, string>;

const noNames: SchemaNames = new Map();

/** What clients write: members with a default may be left out. */
export const writtenSchema = (schema: z.ZodType, names: SchemaNames = noNames): Schema =>
  convert(schema, 'input', names);

/**
 * What clients read: members with a default are always there. Nothing is said against further members, so that there
 * may be new ones one day.
 */
export const readSchema = (schema: z.ZodType, names: SchemaNames = noNames): Schema =>
  openForReading(convert(schema, 'output', names));

type Side = 'input' | 'output';
type Converted = z.core.JSONSchema.BaseSchema;

function convert(schema: z.ZodType, io: Side, names: SchemaNames): Schema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io,
    unrepresentable: ({ zodSchema }) => (isTransform(zodSchema) ? {} : undefined),
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'output') readAsWritten(zodSchema, jsonSchema, names);
      keepExamples(zodSchema, io, jsonSchema);
      leaveOutNoise(jsonSchema);
      // Only compared, whichever kind it is.
      if ((zodSchema as z.core.$ZodType) !== schema) refer(jsonSchema, names.get(zodSchema));
    },
  });
  // JSON Schema that Zod writes has members of JSON only.
  return converted as Schema;
}

/** What may stand beside a reference; everything else is said where it leads. */
const annotations = new Set(['$ref', 'title', 'description', 'default', 'examples', 'readOnly', 'x-resource']);

/** A description of its own makes another schema of a named one; it begins with the reference, and ends with it too. */
function refer(json: Converted, name: string | undefined): void {
  if (name !== undefined) Object.assign(json, refTo(name));
  if (json.$ref === undefined) return;
  for (const keyword of Object.keys(json)) if (!annotations.has(keyword)) delete json[keyword];
}

const definitionOf = ({ _zod }: z.core.$ZodTypes) => _zod.def;

// All schemas of Zod are among its kinds; the base type does not list them.
const isTransform = (schema: z.core.$ZodType): boolean => definitionOf(schema as z.core.$ZodTypes).type === 'transform';

/** What a transformation makes of a value is for us: clients read what was written. */
function readAsWritten(schema: z.core.$ZodTypes, json: Converted, names: SchemaNames): void {
  const def = definitionOf(schema);
  if (def.type !== 'pipe' || !isTransform(def.out)) return;
  const own = { ...json };
  // Made by `z`, as all schemas here.
  Object.assign(json, convert(def.in as z.ZodType, 'output', names), own);
}

/**
 * Examples and defaults of what is transformed get lost on the way, and so do defaults on the side of reads; here they
 * are values that clients know.
 */
function keepExamples(schema: z.core.$ZodTypes, io: Side, json: Converted): void {
  const { examples } = z.globalRegistry.get(schema) ?? {};
  if (Array.isArray(examples)) json.examples = examples;
  const def = definitionOf(schema);
  // A default is a value of a schema for JSON, so it is JSON.
  if (def.type === 'default') json.default ??= def.defaultValue as never;
  if (def.type === 'prefault' && io === 'output') json.examples ??= [def.defaultValue];
}

/** Limits that every number has, and patterns of what a format says already. */
function leaveOutNoise(json: Converted): void {
  if (json.format === 'uuid' || json.format === 'date-time') delete json.pattern;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
}

function openForReading(schema: Schema): Schema {
  const { default: usual, additionalProperties, ...others } = schema;
  const isOpen = additionalProperties === undefined || additionalProperties === false;
  const read: Schema = isOpen ? others : { ...others, additionalProperties };
  const own = usual === undefined || read.examples !== undefined ? read : { ...read, examples: [usual] };
  return mapSubschemas(own, openForReading);
}

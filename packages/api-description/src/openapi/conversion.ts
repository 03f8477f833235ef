import { z } from 'zod';
import { mapSubschemas, refTo, type Schema } from './json-schema.ts';

/** Component names of schemas: nested occurrences become references. */
export type SchemaNames = ReadonlyMap<z.core.$ZodType, string>;

const noNames: SchemaNames = new Map();

/** The request side: members with a default are optional. */
export const writtenSchema = (schema: z.ZodType, names: SchemaNames = noNames): Schema =>
  convert(schema, 'input', names);

/**
 * The response side: members with a default are always present. Additional members are allowed, so that adding one is
 * not a breaking change.
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
      removeRedundantKeywords(jsonSchema);
      // Only compared by identity; the union type differs.
      if ((zodSchema as z.core.$ZodType) !== schema) refer(jsonSchema, names.get(zodSchema));
    },
  });
  // Zod generates JSON values only.
  return converted as Schema;
}

/** Keywords allowed beside `$ref`; the referenced schema holds the others. */
const annotations = new Set(['$ref', 'title', 'description', 'default', 'examples', 'readOnly', 'x-resource']);

/** Zod clones a named schema when it is given a description; the clone keeps only annotations beside its `$ref`. */
function refer(json: Converted, name: string | undefined): void {
  if (name !== undefined) Object.assign(json, refTo(name));
  if (json.$ref === undefined) return;
  for (const keyword of Object.keys(json)) if (!annotations.has(keyword)) delete json[keyword];
}

const definitionOf = ({ _zod }: z.core.$ZodTypes) => _zod.def;

// Every Zod schema is one of these kinds; the base type does not list them.
const isTransform = (schema: z.core.$ZodType): boolean => definitionOf(schema as z.core.$ZodTypes).type === 'transform';

/** Transformed values are internal: clients read back what they wrote. */
function readAsWritten(schema: z.core.$ZodTypes, json: Converted, names: SchemaNames): void {
  const def = definitionOf(schema);
  if (def.type !== 'pipe' || !isTransform(def.out)) return;
  const own = { ...json };
  // The input of a pipe made by `z` is a `ZodType`.
  Object.assign(json, convert(def.in as z.ZodType, 'output', names), own);
}

/**
 * Zod drops examples and defaults of transformed schemas, and defaults on the output side; clients know the input
 * values.
 */
function keepExamples(schema: z.core.$ZodTypes, io: Side, json: Converted): void {
  const { examples } = z.globalRegistry.get(schema) ?? {};
  if (Array.isArray(examples)) json.examples = examples;
  const def = definitionOf(schema);
  // Defaults of JSON schemas are JSON.
  if (def.type === 'default') json.default ??= def.defaultValue as never;
  if (def.type === 'prefault' && io === 'output') json.examples ??= [def.defaultValue];
}

/**
 * Removes the implicit number limits, patterns that `format` already implies or that belong to the text of a number, and
 * empty objects as defaults, which say no more than the defaults of their members.
 */
function removeRedundantKeywords(json: Converted): void {
  const isPatterned = json.type === 'string' && json.format !== 'uuid' && json.format !== 'date-time';
  if (!isPatterned) delete json.pattern;
  if (isEmptyObject(json.default)) delete json.default;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

function openForReading(schema: Schema): Schema {
  const { default: defaultValue, additionalProperties, ...others } = schema;
  const isOpen = additionalProperties === undefined || additionalProperties === false;
  const read: Schema = isOpen ? others : { ...others, additionalProperties };
  const own = defaultValue === undefined || read.examples !== undefined ? read : { ...read, examples: [defaultValue] };
  return mapSubschemas(own, openForReading);
}

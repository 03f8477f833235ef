import { mapSubschemas, refName, type Schema } from './json-schema.ts';

/** Sources of example values. */
export interface Samples {
  /** Component schemas by name. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** An example IRI of a resource type. */
  readonly iri: (type: string) => string;
}

/** An id such as the service generates (UUIDv7). */
export const sampleId = '0197c4e3-6f2a-7b3c-9d1e-2f4a6b8c0d1e';

const sampleFormats: Readonly<Record<string, string>> = {
  uuid: sampleId,
  'date-time': '2026-01-15T09:30:00.000Z',
  email: 'ada@example.com',
  password: 'Correct-Horse-7',
};

/**
 * Builds an example from the examples of the members. Optional members are included when they have one. Undefined where
 * no value can be derived: plain strings need an example of their own.
 */
export function exampleOf(schema: Schema, samples: Samples): unknown {
  const stated = statedExample(schema);
  if (stated !== undefined) return stated;
  const name = refName(schema);
  if (name !== undefined) return exampleOf(samples.schemas[name] ?? {}, samples);
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return exampleOf(first, samples);
  if (schema.properties !== undefined) return exampleObject(schema.properties, schema.required ?? [], samples);
  return exampleOfType(schema, samples);
}

function statedExample({ examples = [], const: only, default: usual, enum: choices }: Schema): unknown {
  const [stated = only ?? usual ?? choices?.[0]] = examples;
  return stated;
}

/** Removes read-only members: they may be sent back, but an example request should not show them. */
export function withoutReadOnly(schema: Schema): Schema {
  const { properties } = schema;
  const written =
    properties === undefined
      ? schema
      : {
          ...schema,
          properties: Object.fromEntries(Object.entries(properties).filter(([, { readOnly }]) => !readOnly)),
        };
  return mapSubschemas(written, withoutReadOnly);
}

const exampleObject = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
  samples: Samples,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]) => {
      const isShown = required.includes(name) || member.examples !== undefined || member.const !== undefined;
      const value = isShown ? exampleOf(member, samples) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );

function exampleOfType(schema: Schema, samples: Samples): unknown {
  switch ([schema.type].flat()[0]) {
    case 'array':
      return exampleList(schema, samples);
    case 'object':
      return {};
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'string':
      return exampleText(schema, samples);
    default:
      return undefined;
  }
}

/** Lists show one entry if it has an example. */
function exampleList({ items = {}, ...list }: Schema, samples: Samples): readonly unknown[] {
  const isTelling = items.$ref !== undefined || items.examples !== undefined || items.properties !== undefined;
  const isShown = list['minItems'] !== undefined || isTelling;
  const entry = isShown ? exampleOf(items, samples) : undefined;
  return entry === undefined ? [] : [entry];
}

function exampleText(schema: Schema, { iri }: Samples): string | undefined {
  const type: unknown = [schema['x-resource']].flat()[0];
  return typeof type === 'string' ? iri(type) : sampleFormats[schema.format ?? ''];
}

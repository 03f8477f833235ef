/** A JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1). */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly readOnly?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

const schemas = '#/components/schemas/';

/** A reference to a component schema. */
export const refTo = (name: string): Schema => ({ $ref: `${schemas}${name}` });

/** The component name in a reference. */
export const refName = ({ $ref }: Schema): string | undefined =>
  $ref?.startsWith(schemas) === true ? $ref.slice(schemas.length) : undefined;

/** Maps the direct subschemas: members, items and alternatives. */
export function mapSubschemas(schema: Schema, map: (inner: Schema) => Schema): Schema {
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: mapMembers(properties, map) }),
    ...(items === undefined ? {} : { items: map(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(map) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: map(additionalProperties) } : {}),
  };
}

/** Maps the values of an object, keeping its keys. */
export const mapMembers = <T, U>(
  members: Readonly<Record<string, T>>,
  map: (value: T, name: string) => U,
): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value, name)]));

import type { z } from 'zod';
import { type MemberValue, valueOf } from './values.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A literal nested in a JSON object member. */
export interface NestedMember {
  /** Its path, in the form of `propertyPath`: `zone_settings.basicAuth.enabled`. */
  readonly name: string;
  readonly value: MemberValue;
  readonly description: string | undefined;
  /** Whether a form can offer it as a field of its own. */
  readonly isFillable: boolean;
}

/**
 * The literals and lists of literals in a JSON object, at any depth. Generic front ends can show values at these paths,
 * but neither objects nor lists of objects. A union of objects is skipped: its members may not be literals in every
 * alternative.
 */
export const nestedMembers = (name: string, schema: JsonSchema): readonly NestedMember[] =>
  membersIn(name, schema, true);

function membersIn(path: string, schema: JsonSchema, isAlwaysThere: boolean): readonly NestedMember[] {
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (only === undefined) return entriesOf(path, schema, isAlwaysThere);
  return others.length === 0 ? entriesOf(path, only, false) : [];
}

const entriesOf = (path: string, { properties = {} }: JsonSchema, isAlwaysThere: boolean): readonly NestedMember[] =>
  Object.entries(properties).flatMap(([key, schema]) =>
    typeof schema === 'object' ? entriesAt(`${path}.${key}`, schema, isAlwaysThere) : [],
  );

function entriesAt(name: string, schema: JsonSchema, isAlwaysThere: boolean): readonly NestedMember[] {
  const value = valueOf(schema);
  if (value.kind !== 'literal') return membersIn(name, schema, isAlwaysThere);
  return [{ name, value, description: schema.description, isFillable: isAlwaysThere && isText(value) }];
}

/**
 * Forms render strings and numbers as text fields, which send nothing when left empty. Others are unsafe: an untouched
 * switch sends false, whatever the default; lists come back as text; and part of an optional object is incomplete.
 */
const isText = (value: MemberValue): boolean =>
  value.kind === 'literal' && !value.isList && value.datatype !== 'xsd:boolean';

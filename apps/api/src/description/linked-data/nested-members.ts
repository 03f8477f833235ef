import type { z } from 'zod';
import { type MemberValue, valueOf } from './values.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A literal somewhere inside a member that is a JSON object. */
export interface NestedMember {
  /** Where it is, as `propertyPath` says it: `zone_settings.basicAuth.enabled`. */
  readonly name: string;
  readonly value: MemberValue;
  readonly description: string | undefined;
  /** Whether a form may offer it by itself. */
  readonly isFillable: boolean;
}

/**
 * The literals and lists of literals in a JSON object, at any depth. Front ends show the values at these paths; an object
 * as such they cannot show, and so not lists of objects either. A union of objects has no members that are always literals.
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
 * Forms make text fields of texts and numbers: one that is left empty sends nothing. An untouched switch sends false, which
 * may not be the default, a list comes back as a text, and part of an optional object makes an incomplete one.
 */
const isText = (value: MemberValue): boolean =>
  value.kind === 'literal' && !value.isList && value.datatype !== 'xsd:boolean';

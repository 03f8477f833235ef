import type { z } from 'zod';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A member's value in linked-data terms. */
export type MemberValue =
  | { readonly kind: 'literal'; readonly datatype: Datatype; readonly isList: boolean }
  /** IRIs of resources; `type` is undefined when several types are possible. */
  | { readonly kind: 'link'; readonly type: string | undefined; readonly isList: boolean }
  /** Embedded resources. */
  | { readonly kind: 'embedded'; readonly type: string; readonly isList: boolean }
  /** An opaque JSON value, whose nulls, order and names are significant. */
  | { readonly kind: 'json'; readonly isList: boolean };

/** The datatype of a literal, as a compact IRI. */
export type Datatype = (typeof datatypes)[keyof typeof datatypes] | 'xsd:dateTime';

const datatypes = {
  string: 'xsd:string',
  integer: 'xsd:integer',
  number: 'xsd:double',
  boolean: 'xsd:boolean',
} as const;

const json: MemberValue = { kind: 'json', isList: false };

/** Derives the value from a schema: `x-resource` marks a link, `x-embeds` an embedded resource. */
export function valueOf(schema: JsonSchema): MemberValue {
  const { 'x-resource': linked, 'x-embeds': embedded, anyOf } = schema;
  if (typeof linked === 'string') return { kind: 'link', type: linked, isList: false };
  if (Array.isArray(linked)) return { kind: 'link', type: undefined, isList: false };
  if (typeof embedded === 'string') return { kind: 'embedded', type: embedded, isList: false };
  if (schema.type === 'array') return listOf(schema.items);
  return anyOf === undefined ? scalar(schema) : commonValue(anyOf.filter(({ type }) => type !== 'null').map(valueOf));
}

function listOf(items: JsonSchema['items']): MemberValue {
  const entry = typeof items === 'object' && !Array.isArray(items) ? valueOf(items) : json;
  return entry.isList ? { kind: 'json', isList: true } : { ...entry, isList: true };
}

function scalar({ type, format, enum: choices }: JsonSchema): MemberValue {
  const [only, ...others] = [type].flat().filter((each) => each !== 'null');
  const isWhole = only === 'number' && choices?.every(Number.isInteger) === true;
  const entry = Object.entries(datatypes).find(([name]) => name === (isWhole ? 'integer' : only));
  if (entry === undefined || others.length > 0) return json;
  const datatype = format === 'date-time' ? 'xsd:dateTime' : entry[1];
  return { kind: 'literal', datatype, isList: false };
}

/** Alternatives of different kinds are opaque JSON. */
function commonValue([first = json, ...others]: readonly MemberValue[]): MemberValue {
  const same = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
  return same ? first : json;
}

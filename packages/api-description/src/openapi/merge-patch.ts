import { mapMembers, mapSubschemas, refName, refTo, type Schema } from './json-schema.ts';

/**
 * The merge patch for an object schema (RFC 7396): all members are optional, objects are patched recursively, lists are
 * replaced, and null removes optional members. `patchName` names the patch of a component schema.
 */
export function mergePatchOf(schema: Schema, patchName: (name: string) => string): Schema {
  const { default: _, ...whole } = schema;
  const name = refName(whole);
  if (name !== undefined) return { ...whole, ...refTo(patchName(name)) };
  if (whole.anyOf !== undefined) return mapSubschemas(whole, (each) => mergePatchOf(each, patchName));
  if (whole.properties === undefined) return whole;
  const { required = [], properties, ...object } = whole;
  return {
    ...object,
    properties: mapMembers(properties, (member, memberName) => {
      const patch = mergePatchOf(member, patchName);
      return required.includes(memberName) ? patch : orNull(patch);
    }),
  };
}

const orNull = (schema: Schema): Schema => {
  if (schema.anyOf?.some(({ type }) => type === 'null') === true) return schema;
  if (schema.anyOf !== undefined) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  const { description, readOnly, ...others } = schema;
  return {
    ...(description === undefined ? {} : { description }),
    ...(readOnly === undefined ? {} : { readOnly }),
    ...nullable(others),
  };
};

/** A bare type can list null as another type; other keywords would not apply to null, so they need an alternative. */
const nullable = (schema: Schema): Schema =>
  typeof schema.type === 'string' && schema.enum === undefined && schema.const === undefined
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

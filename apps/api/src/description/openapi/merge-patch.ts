import { mapMembers, mapSubschemas, refName, refTo, type Schema } from './json-schema.ts';

/**
 * What a merge patch on an object may hold (RFC 7396): any of its members, objects patched in turn, lists whole, and
 * null for members that may be left out. `patchName` says what the patch of a named schema is called.
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

/** A bare type may be another one; whatever else is said of a value does not hold for null. */
const nullable = (schema: Schema): Schema =>
  typeof schema.type === 'string' && schema.enum === undefined && schema.const === undefined
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

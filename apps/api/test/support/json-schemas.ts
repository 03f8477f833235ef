import { mapSubschemas, type Schema } from '@zonewright/api-description';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApi } from './openapi.ts';

/** Validates a value; `errors` lists what is wrong. */
export type Validator = ValidateFunction;

/** Compiled schemas of the document, by name. */
export interface JsonSchemas {
  validatorOf(schema: Schema): Validator;
}

/** As in the document: responses may have additional members. */
export const openSchemas: () => JsonSchemas = remembered(() => schemasOf((schema) => schema));

/** Rejects members that the document does not name. */
export const closedSchemas: () => JsonSchemas = remembered(() => schemasOf(closed));

function schemasOf(change: (schema: Schema) => Schema): JsonSchemas {
  // Optimizing the generated code takes half of the time to compile it, and each validator runs rarely.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true, code });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addFormat('iri-reference', /^\S*$/);
  ajv.addKeyword('x-resource');
  const { schemas } = openApi.components;
  ajv.addVocabulary(['components', 'schemas']);
  ajv.addSchema({
    $id: 'document',
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)])),
    },
  });
  const known = new Map<string, Validator>();
  return {
    validatorOf: (schema) => {
      const key = JSON.stringify(schema);
      const compiled = known.get(key) ?? ajv.compile(within(change(schema)));
      known.set(key, compiled);
      return compiled;
    },
  };
}

/** The schema with its references resolved against the document. */
const within = (schema: Schema): Schema => {
  const { $ref } = schema;
  return mapSubschemas($ref === undefined ? schema : { ...schema, $ref: `document${$ref}` }, within);
};

function closed(schema: Schema): Schema {
  const { $ref, properties, additionalProperties, patternProperties } = schema;
  const isOpen = $ref === undefined && properties !== undefined && additionalProperties === undefined;
  return mapSubschemas(
    isOpen && patternProperties === undefined ? { ...schema, additionalProperties: false } : schema,
    closed,
  );
}

function remembered<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

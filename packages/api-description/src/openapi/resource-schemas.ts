import type { Format } from '../media-types.ts';
import { mediaTypes } from '../media-types.ts';
import type { ResourceDescription } from '../resource-description.ts';
import { plural } from '../words.ts';
import { readSchema, type SchemaNames } from './conversion.ts';
import { mapSubschemas, refName, refTo, type Schema } from './json-schema.ts';

/** The component name of an item in a format. */
export const itemName = ({ name, type }: ResourceDescription, format: Format): string => inFormat(name ?? type, format);

/** The component name of a collection page. */
export const collectionName = ({ name, type }: ResourceDescription, format: Format): string =>
  inFormat(`${name ?? type}Collection`, format);

const inFormat = (name: string, format: Format): string => (format === mediaTypes.linked ? `${name}.jsonld` : name);

/** An item as `application/json`. */
export function plainItem({ title, description, schema }: ResourceDescription, names: SchemaNames): Schema {
  return { title, description, ...readSchema(schema, names) };
}

type LinkedKey = '@context' | '@id' | '@type';

/** The JSON-LD keys of items (JSON-LD 1.1 section 3). */
export const linkedKeys: readonly LinkedKey[] = ['@context', '@id', '@type'];

/** The same item as JSON-LD; nested items have keys too. */
export function linkedItem(
  { type, mayBeUnstored }: ResourceDescription,
  plain: Schema,
  itemNames: ReadonlySet<string>,
  keys: readonly LinkedKey[],
): Schema {
  const { properties = {}, required = [], ...item } = mapSubschemas(plain, (inner) => relink(inner, itemNames));
  return {
    ...item,
    properties: { ...only(keys, keySchemas(type, type)), ...properties },
    required: [...keys.filter((key) => key === '@type' || (key === '@id' && !mayBeUnstored)), ...required],
  };
}

function relink(schema: Schema, itemNames: ReadonlySet<string>): Schema {
  const name = refName(schema);
  const linked =
    name !== undefined && itemNames.has(name) ? { ...schema, ...refTo(inFormat(name, mediaTypes.linked)) } : schema;
  return mapSubschemas(linked, (inner) => relink(inner, itemNames));
}

const iri = (description: string): Schema => ({ type: 'string', format: 'iri-reference', readOnly: true, description });

const only = (keys: readonly LinkedKey[], schemas: Readonly<Record<LinkedKey, Schema>>) =>
  Object.fromEntries(keys.map((key) => [key, schemas[key]]));

const keySchemas = (context: string, type: string): Readonly<Record<LinkedKey, Schema>> => ({
  '@context': {
    ...iri('The JSON-LD context; only at the top level of a response.'),
    const: `/api/contexts/${context}`,
  },
  '@id': { ...iri('IRI of the resource, as an absolute path.'), 'x-resource': context },
  '@type': { type: 'string', const: type, readOnly: true },
});

/** A page of a collection (Hydra core vocabulary, "Collection"). */
export function collectionSchema(resource: ResourceDescription, format: Format): Schema {
  const properties: Readonly<Record<string, Schema>> = {
    ...(format === mediaTypes.linked ? keySchemas(resource.type, 'Collection') : {}),
    totalItems: { type: 'integer', minimum: 0, description: 'Total number of items on all pages.' },
    member: { type: 'array', items: refTo(itemName(resource, format)), description: 'The items of this page.' },
    view: refTo('CollectionView'),
    search: refTo('CollectionSearch'),
  };
  return {
    type: 'object',
    description: `A page of a list of ${plural(resource.title)}.`,
    properties,
    required: Object.keys(properties),
  };
}

/** Members common to all collections. */
export const collectionParts: Readonly<Record<string, Schema>> = {
  CollectionView: {
    type: 'object',
    description: 'Links to this page and its neighbours (Hydra core vocabulary, "PartialCollectionView").',
    properties: {
      '@id': iri('This page.'),
      '@type': { type: 'string', const: 'PartialCollectionView' },
      first: iri('The first page.'),
      last: iri('The last page.'),
      previous: iri('The page before; absent on the first one.'),
      next: iri('The page after; absent on the last one.'),
    },
    required: ['@id', '@type', 'first', 'last'],
  },
  CollectionSearch: {
    type: 'object',
    description: 'How to search and sort the list (Hydra core vocabulary, "IriTemplate").',
    properties: {
      '@type': { type: 'string', const: 'IriTemplate' },
      template: { type: 'string', description: 'URI template of the list with its parameters (RFC 6570).' },
      variableRepresentation: {
        type: 'string',
        const: 'BasicRepresentation',
        description: 'Values are written as they are.',
      },
      mapping: {
        type: 'array',
        description: 'The member each parameter applies to.',
        items: {
          type: 'object',
          properties: {
            '@type': { type: 'string', const: 'IriTemplateMapping' },
            variable: { type: 'string', description: 'Name of the parameter.' },
            property: { type: 'string', description: 'The member it applies to.' },
            required: { type: 'boolean' },
          },
          required: ['@type', 'variable', 'property', 'required'],
        },
      },
    },
    required: ['@type', 'template', 'variableRepresentation', 'mapping'],
  },
};

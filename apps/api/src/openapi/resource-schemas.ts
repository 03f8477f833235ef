import type { ResourceDescription } from '../http/description.ts';
import type { Format } from '../http/negotiation.ts';
import { mediaTypes } from '../http/negotiation.ts';
import { readSchema, type SchemaNames } from './conversion.ts';
import { refTo, type Schema } from './json-schema.ts';
import { plural } from './words.ts';

/** The name of the schema of one item in a format. */
export const itemName = ({ name, type }: ResourceDescription, format: Format): string => inFormat(name ?? type, format);

/** The name of the schema of a page of a list that is an object. */
export const collectionName = ({ name, type }: ResourceDescription, format: Format): string =>
  inFormat(`${name ?? type}Collection`, format);

const inFormat = (name: string, format: Format): string => (format === mediaTypes.linked ? `${name}.jsonld` : name);

/** An item; in linked data with its keys (JSON-LD 1.1 section 3), those of items within it included. */
export function itemSchema(resource: ResourceDescription, format: Format, names: SchemaNames): Schema {
  const { title, description } = resource;
  const { properties = {}, required = [], ...plain } = readSchema(resource.schema, names);
  const isLinked = format === mediaTypes.linked;
  return {
    title,
    description,
    ...plain,
    properties: isLinked ? { ...linkedKeys(resource), ...properties } : properties,
    required: isLinked ? ['@id', '@type', ...required] : required,
  };
}

const iri = (description: string): Schema => ({ type: 'string', format: 'iri-reference', readOnly: true, description });

const linkedKeys = ({ type }: ResourceDescription): Readonly<Record<string, Schema>> => ({
  '@context': { ...iri('What the members mean; only at the top of an answer.'), const: `/api/contexts/${type}` },
  '@id': { ...iri('Address of the item, path-absolute.'), 'x-resource': type },
  '@type': { type: 'string', const: type, readOnly: true },
});

/** A page of a list as an object (Hydra core vocabulary, "Collection"). */
export function collectionSchema(resource: ResourceDescription, format: Format): Schema {
  const { type, title } = resource;
  const isLinked = format === mediaTypes.linked;
  const members: Readonly<Record<string, Schema>> = {
    totalItems: { type: 'integer', minimum: 0, description: 'How many items all pages have together.' },
    member: { type: 'array', items: refTo(itemName(resource, format)), description: 'The items of this page.' },
    view: refTo('CollectionView'),
    search: refTo('CollectionSearch'),
  };
  const properties = isLinked ? { ...linkedKeys({ ...resource, type: 'Collection' }), ...members } : members;
  return {
    type: 'object',
    description: `A page of a list of ${plural(title)}.`,
    properties: isLinked
      ? { ...properties, '@context': { ...properties['@context'], const: `/api/contexts/${type}` } }
      : properties,
    required: Object.keys(properties),
  };
}

const page = (description: string): Schema => iri(description);

/** What every list has in common. */
export const collectionParts: Readonly<Record<string, Schema>> = {
  CollectionView: {
    type: 'object',
    description: 'Where this page and its neighbours are (Hydra core vocabulary, "PartialCollectionView").',
    properties: {
      '@id': page('This page.'),
      '@type': { type: 'string', const: 'PartialCollectionView' },
      first: page('The first page.'),
      last: page('The last page.'),
      previous: page('The page before; absent on the first one.'),
      next: page('The page after; absent on the last one.'),
    },
    required: ['@id', '@type', 'first', 'last'],
  },
  CollectionSearch: {
    type: 'object',
    description: 'How the list is searched and sorted (Hydra core vocabulary, "IriTemplate").',
    properties: {
      '@type': { type: 'string', const: 'IriTemplate' },
      template: { type: 'string', description: 'Address of the list with its parameters (RFC 6570).' },
      variableRepresentation: { type: 'string', const: 'BasicRepresentation' },
      mapping: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            '@type': { type: 'string', const: 'IriTemplateMapping' },
            variable: { type: 'string', description: 'Name of the parameter.' },
            property: { type: 'string', description: 'The member it looks at.' },
            required: { type: 'boolean' },
          },
          required: ['@type', 'variable', 'property', 'required'],
        },
      },
    },
    required: ['@type', 'template', 'variableRepresentation', 'mapping'],
  },
};

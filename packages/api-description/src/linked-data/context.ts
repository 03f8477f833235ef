import type { Member } from './class-members.ts';
import type { ResourceClass } from './resource-classes.ts';
import { namespaces, type PublicAddress, vocabularyOf } from './vocabulary.ts';

/** A JSON-LD context, which maps member names to terms. */
export type Context = Readonly<Record<string, unknown>>;

/** A term whose values are IRIs. */
export const linkTo = (id: string) => ({ '@id': id, '@type': '@id' });
const term = (id: string) => ({ '@id': id, '@type': '@vocab' });

/**
 * Hydra terms for collections. Type-scoped (JSON-LD 1.1 section 4.1.3), so that resources may have members with the
 * same names.
 */
const collectionTerms: Context = {
  Collection: {
    '@id': 'hydra:Collection',
    '@context': {
      totalItems: 'hydra:totalItems',
      member: { '@id': 'hydra:member', '@container': '@set' },
      view: 'hydra:view',
      search: 'hydra:search',
    },
  },
  PartialCollectionView: {
    '@id': 'hydra:PartialCollectionView',
    '@context': Object.fromEntries(
      ['first', 'last', 'previous', 'next'].map((name) => [name, linkTo(`hydra:${name}`)]),
    ),
  },
  IriTemplate: {
    '@id': 'hydra:IriTemplate',
    '@context': {
      template: 'hydra:template',
      variableRepresentation: term('hydra:variableRepresentation'),
      mapping: { '@id': 'hydra:mapping', '@container': '@set' },
    },
  },
  IriTemplateMapping: {
    '@id': 'hydra:IriTemplateMapping',
    '@context': { variable: 'hydra:variable', property: term('hydra:property'), required: 'hydra:required' },
  },
  BasicRepresentation: 'hydra:BasicRepresentation',
};

/** The context for a resource type, lists of it, and the resources it embeds. */
export function resourceContext(
  { type, members }: ResourceClass,
  classes: readonly ResourceClass[],
  address: PublicAddress,
): Context {
  const embedded = new Set(members.flatMap(({ value }) => (value.kind === 'embedded' ? [value.type] : [])));
  const within = classes.filter((other) => embedded.has(other.type));
  return {
    '@version': 1.1,
    '@vocab': vocabularyOf(address),
    hydra: namespaces.hydra,
    ...collectionTerms,
    ...Object.fromEntries(within.map((other) => [other.type, { '@id': other.type, '@context': termsOf(other) }])),
    ...termsOf({ type, members }),
  };
}

/**
 * Only the API documentation types literals: a type coercion here would stop `search.mapping` from naming the property.
 */
const termsOf = ({ type, members }: Pick<ResourceClass, 'type' | 'members'>): Context =>
  Object.fromEntries(members.map((member) => [member.name, definitionOf(`${type}/${member.name}`, member)]));

function definitionOf(id: string, { value }: Member): unknown {
  const container = value.isList ? { '@container': '@set' } : {};
  switch (value.kind) {
    case 'link':
      return { ...linkTo(id), ...container };
    case 'json':
      return { '@id': id, '@type': '@json', ...container };
    case 'embedded':
    case 'literal':
      return value.isList ? { '@id': id, ...container } : id;
  }
}

/** The context of the entrypoint: each name links to a collection. */
export const entrypointContext = (names: readonly string[], address: PublicAddress): Context => ({
  '@vocab': vocabularyOf(address),
  hydra: namespaces.hydra,
  ...Object.fromEntries(names.map((name) => [name, linkTo(`Entrypoint/${name}`)])),
});

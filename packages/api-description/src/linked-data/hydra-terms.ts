import { documentationPath, namespaces, type PublicAddress, vocabularyOf } from './vocabulary.ts';

const inHydra = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `hydra:${name}`]));
const references = (names: Readonly<Record<string, string>>, type: '@id' | '@vocab') =>
  Object.fromEntries(Object.entries(names).map(([name, id]) => [name, { '@id': id, '@type': type }]));

/**
 * The context of the API documentation, inline to save clients a request: short names for terms of Hydra and RDF
 * Schema. Operations name classes as items do (`Zone`); class descriptions use fragments of the document (`#Zone`).
 */
export const hydraTerms = (address: PublicAddress): Readonly<Record<string, unknown>> => ({
  '@base': `${address.publicBaseUrl}${documentationPath}`,
  '@vocab': vocabularyOf(address),
  ...namespaces,
  ...inHydra(['ApiDocumentation', 'Class', 'Collection', 'Link', 'Operation', 'SupportedProperty']),
  ...inHydra(['title', 'description', 'supportedClass', 'supportedProperty', 'supportedOperation', 'method']),
  ...inHydra(['required', 'readable', 'writeable', 'expectsHeader', 'headerName', 'possibleValue']),
  ...references({ entrypoint: 'hydra:entrypoint', property: 'hydra:property' }, '@id'),
  ...references({ domain: 'rdfs:domain', range: 'rdfs:range', subClassOf: 'rdfs:subClassOf' }, '@id'),
  ...references({ expects: 'hydra:expects', returns: 'hydra:returns' }, '@vocab'),
  label: 'rdfs:label',
});

/** Path of the Hydra documentation; with the public base URL before it and `#` behind, it is the vocabulary of the API. */
export const documentationPath = '/api/docs.jsonld';

/** Prefixes of the vocabularies that documents here refer to. */
export const namespaces = {
  hydra: 'http://www.w3.org/ns/hydra/core#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  schema: 'https://schema.org/',
} as const;

/** What `PUBLIC_BASE_URL` says: the scheme and host that clients see, without a slash at the end. */
export interface PublicPlace {
  readonly publicBaseUrl: string;
}

/** Classes and properties of the API are fragments of its documentation, so that looking one up finds it. */
export const vocabularyOf = ({ publicBaseUrl }: PublicPlace): string => `${publicBaseUrl}${documentationPath}#`;

/**
 * How every answer names the documentation (Hydra core vocabulary, "Discovering a Hydra-powered Web API"). Clients look for
 * exactly this form: one space, double quotes.
 */
export const documentationLink = ({ publicBaseUrl }: PublicPlace): string =>
  `<${publicBaseUrl}${documentationPath}>; rel="${namespaces.hydra}apiDocumentation"`;

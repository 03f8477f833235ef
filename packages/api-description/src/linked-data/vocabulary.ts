/** Path of the Hydra API documentation. The public base URL, this path and `#` form the vocabulary's namespace. */
export const documentationPath = '/api/docs.jsonld';

/** Namespace prefixes used in the documents. */
export const namespaces = {
  hydra: 'http://www.w3.org/ns/hydra/core#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  schema: 'https://schema.org/',
} as const;

/** From `PUBLIC_BASE_URL`: scheme and host as clients see them, without a trailing slash. */
export interface PublicAddress {
  readonly publicBaseUrl: string;
}

/** Terms are fragments of the API documentation, so that their IRIs resolve to their definitions. */
export const vocabularyOf = ({ publicBaseUrl }: PublicAddress): string => `${publicBaseUrl}${documentationPath}#`;

/**
 * The `Link` field for API discovery (Hydra core vocabulary, "Discovering a Hydra-powered Web API"). Clients match
 * exactly this form: one space, double quotes.
 */
export const documentationLink = ({ publicBaseUrl }: PublicAddress): string =>
  `<${publicBaseUrl}${documentationPath}>; rel="${namespaces.hydra}apiDocumentation"`;

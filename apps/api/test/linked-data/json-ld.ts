import jsonld from 'jsonld';

type Linked = Readonly<Record<string, unknown>>;

/** Reads JSON-LD from a service, which must serve every context itself. */
export function readerOf(url: string) {
  const options = { base: `${url}/api`, documentLoader: loaderOf(url) };
  /** The document without context: all names are IRIs. */
  const expand = (document: Linked) => jsonld.expand(document, options);
  /** Expands a document and compacts it with its own context. */
  const roundTrip = async (document: Linked): Promise<unknown> => {
    const own = document['@context'];
    const context = { '@context': `${url}${String(own)}` };
    const absolute = { ...options, compactToRelative: false };
    const members = await jsonld.compact(await expand(document), context, absolute);
    return JSON.parse(JSON.stringify({ ...members, '@context': own }).replaceAll(`"${url}/`, '"/'));
  };
  return { expand, roundTrip };
}

const loaderOf = (url: string) => async (address: string) => {
  if (!address.startsWith(`${url}/api/contexts/`)) throw new Error(`${address} is no context of the service.`);
  const response = await fetch(address, { headers: { accept: 'application/ld+json' } });
  if (!response.ok) throw new Error(`${address} answers ${response.status}.`);
  return { documentUrl: address, document: (await response.json()) as jsonld.NodeObject };
};

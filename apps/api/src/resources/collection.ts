import { contextIri } from './json-writer.ts';
import type { PageLinks } from './page-links.ts';
import type { Collection, Members, SearchParameter } from './resource.ts';

/** The linked-data form of a page of a list (Hydra core vocabulary: Collection, PartialCollectionView, IriTemplate). */
export const linkedCollection = (collection: Collection, path: string, links: PageLinks): Members => ({
  '@context': contextIri(collection.type),
  '@id': path,
  '@type': 'Collection',
  ...collectionMembers(collection, path, links),
});

/** The members of a page of a list, for any reader. */
export const collectionMembers = (
  { items, totalItems, search }: Collection,
  path: string,
  links: PageLinks,
): Members => ({
  totalItems,
  member: items,
  view: {
    '@id': links.self,
    '@type': 'PartialCollectionView',
    first: links.first,
    last: links.last,
    previous: links.previous,
    next: links.next,
  },
  search: {
    '@type': 'IriTemplate',
    // An expression without variables is none (RFC 6570 section 2.2).
    template: search.length === 0 ? path : `${path}{?${search.map(({ variable }) => variable).join(',')}}`,
    variableRepresentation: 'BasicRepresentation',
    mapping: search.map(mapping),
  },
});

const mapping = ({ variable, property }: SearchParameter): Members => ({
  '@type': 'IriTemplateMapping',
  variable,
  property,
  required: false,
});

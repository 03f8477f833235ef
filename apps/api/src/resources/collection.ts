import { contextIri } from '@zonewright/api-description';
import type { PageLinks } from './page-links.ts';
import { type Collection, Item, type Members, type SearchParameter } from './resource.ts';

/** A page of a list as JSON-LD (Hydra core vocabulary: Collection, PartialCollectionView, IriTemplate). */
export const linkedCollection = (collection: Collection, path: string, links: PageLinks): Members => ({
  '@context': contextIri(collection.type),
  '@id': path,
  '@type': 'Collection',
  ...collectionMembers(collection, path, links),
});

/** The members of a page of a list, without JSON-LD keys. */
export const collectionMembers = (
  { items, totalItems, search }: Collection,
  path: string,
  links: PageLinks,
): Members => ({
  totalItems,
  member: items,
  view: viewOf(links),
  search: {
    '@type': 'IriTemplate',
    // A template needs at least one variable (RFC 6570 section 2.2).
    template: search.length === 0 ? path : `${path}{?${search.map(({ variable }) => variable).join(',')}}`,
    variableRepresentation: 'BasicRepresentation',
    mapping: search.map(mapping),
  },
});

/** An item that shows a page of a list, with links to the other pages. */
export const withView = ({ type, iri, members }: Item, links: PageLinks): Item =>
  new Item({ type, iri, members: { ...members, view: viewOf(links) } });

const viewOf = ({ self, first, last, previous, next }: PageLinks): Members => ({
  '@id': self,
  '@type': 'PartialCollectionView',
  first,
  last,
  previous,
  next,
});

const mapping = ({ variable, property }: SearchParameter): Members => ({
  '@type': 'IriTemplateMapping',
  variable,
  property,
  required: false,
});

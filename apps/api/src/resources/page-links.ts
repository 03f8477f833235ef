import type { PageRequest } from '@zonewright/core';
import { encodedQuery, type Parameter } from '../http/query.ts';

export interface PageLinks {
  readonly self: string;
  readonly first: string;
  readonly last: string;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Addresses of the pages of a list: the parameters that the list knows, in their order, the page number last. */
export function pageLinks(
  { path, parameters }: { readonly path: string; readonly parameters: readonly Parameter[] },
  { page, itemsPerPage }: PageRequest,
  totalItems: number,
): PageLinks {
  const others = encodedQuery(parameters.filter(([name]) => name !== 'page'));
  const at = (number: number) => `${path}?${others === '' ? '' : `${others}&`}page=${number}`;
  const last = itemsPerPage === 0 ? 1 : Math.max(1, Math.ceil(totalItems / itemsPerPage));
  return {
    self: at(page),
    first: at(1),
    last: at(last),
    previous: page > 1 ? at(page - 1) : undefined,
    next: page < last ? at(page + 1) : undefined,
  };
}

/** Proxies and clients take 8 KB of header fields, and there are others besides the links. */
const maxLength = 4096;

/**
 * The `Link` header of a plain list (RFC 8288). Where the parameters are so long that all links would not fit, only the
 * one that cannot be done without: that to the next page. Undefined if there is none.
 */
export function linkHeader({ first, previous, next, last }: PageLinks): string | undefined {
  const all = written({ first, prev: previous, next, last });
  return (all.length <= maxLength ? all : written({ next })) || undefined;
}

const written = (links: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(links)
    .flatMap(([relation, target]) => (target === undefined ? [] : [`<${target}>; rel="${relation}"`]))
    .join(', ');

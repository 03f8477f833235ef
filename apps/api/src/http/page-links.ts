import type { PageRequest } from '@zonewright/core';

export interface PageLinks {
  readonly self: string;
  readonly first: string;
  readonly last: string;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Addresses of the pages of a list: the parameters of the request in their order, the page number last. */
export function pageLinks(
  { path, querystring }: { readonly path: string; readonly querystring: string },
  { page, itemsPerPage }: PageRequest,
  totalItems: number,
): PageLinks {
  const others = [...new URLSearchParams(querystring)].filter(([name]) => name !== 'page');
  const encoded = others.map(([name, value]) => {
    const key = name.replace(/\[\d+\]$/, '[]');
    return `${encodeURIComponent(key)}=${encodeURIComponent(value)}`;
  });
  const at = (number: number) => `${path}?${[...encoded, `page=${number}`].join('&')}`;
  const last = itemsPerPage === 0 ? 1 : Math.max(1, Math.ceil(totalItems / itemsPerPage));
  return {
    self: at(page),
    first: at(1),
    last: at(last),
    previous: page > 1 ? at(page - 1) : undefined,
    next: page < last ? at(page + 1) : undefined,
  };
}

/** The `Link` header of a plain list (RFC 8288). */
export const linkHeader = ({ first, previous, next, last }: PageLinks): string =>
  Object.entries({ first, prev: previous, next, last })
    .flatMap(([relation, target]) => (target === undefined ? [] : [`<${target}>; rel="${relation}"`]))
    .join(', ');

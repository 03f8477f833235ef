import type { PageRequest } from '@zonewright/core';

/** One decoded query parameter. List entries are all named `name[]`, whatever their index was. */
export type Parameter = readonly [name: string, value: string];

/** Encodes parameters as a query string. */
export const encodedQuery = (parameters: readonly Parameter[]): string =>
  parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

export interface PageLinks {
  readonly self: string;
  readonly first: string;
  readonly last: string;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** URLs of the pages of a list: its known parameters in order, the page number last. */
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

/** Proxies give the header of an answer 4 KB by default, of which links are only a part. */
const maxLength = 2000;

/**
 * The `Link` field of a plain list (RFC 8288). If all links would be too long, only the one to the next page. Undefined
 * if that is too long as well, or if there is none: `X-Total-Count` says how many pages there are.
 */
export function linkHeader({ first, previous, next, last }: PageLinks): string | undefined {
  const fitting = [written({ first, prev: previous, next, last }), written({ next })].find(
    ({ length }) => length <= maxLength,
  );
  return fitting || undefined;
}

const written = (links: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(links)
    .flatMap(([relation, target]) => (target === undefined ? [] : [`<${target}>; rel="${relation}"`]))
    .join(', ');

import type { AutomatonSymbol } from './automaton.ts';

/**
 * A request's scheme, host, path and query as one word, so that conditions on any of them, on the whole URL and on
 * parameters are automata over the same word: scheme mark, host, path mark, path, query mark, query.
 */
export const marks = { http: 256, https: 257, path: 258, query: 259 } as const satisfies Record<
  string,
  AutomatonSymbol
>;

/** A part of an address. */
export type AddressPart = 'scheme' | 'host' | 'path' | 'query';

/** The parts of an address; the query is "" if absent. */
export interface AddressParts {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

const text = String.fromCharCode;

/** The word of an address. */
export const addressWord = ({ scheme, host, path, query }: AddressParts): string =>
  `${text(marks[scheme])}${host}${text(marks.path)}${path}${text(marks.query)}${query}`;

/** The address of a word. */
export function partsOfWord(word: string): AddressParts {
  const path = word.indexOf(text(marks.path));
  const query = word.indexOf(text(marks.query));
  return {
    scheme: word.charCodeAt(0) === marks.http ? 'http' : 'https',
    host: word.slice(1, path),
    path: word.slice(path + 1, query),
    query: word.slice(query + 1),
  };
}

/** The default address of a request. */
export const defaultAddress: AddressParts = { scheme: 'https', host: 'www.example.com', path: '/', query: '' };

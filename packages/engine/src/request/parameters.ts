import { memoized } from '../memoized.ts';

/** A parameter of a query. */
export interface Parameter {
  readonly name: string;
  /** "" if there is no `=`. */
  readonly value: string;
  /** As written in the query. */
  readonly text: string;
}

const none: readonly Parameter[] = [];

/**
 * The parameters of a canonical query, in order, without empty parts. `;` is not a separator, and `+` is not a space.
 */
export const parametersOf = (address: { readonly query: string }): readonly Parameter[] =>
  address.query === '' ? none : parametersIn(address);

const parametersIn = memoized(({ query }: { readonly query: string }): readonly Parameter[] =>
  query
    .split('&')
    .filter((text) => text !== '')
    .map((text) => {
      const equals = text.indexOf('=');
      return equals < 0
        ? { name: text, value: '', text }
        : { name: text.slice(0, equals), value: text.slice(equals + 1), text };
    }),
);

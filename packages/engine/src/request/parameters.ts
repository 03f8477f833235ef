import { kept } from '../kept.ts';

/** A parameter of a query. */
export interface Parameter {
  readonly name: string;
  /** "" without `=`. */
  readonly value: string;
  /** As it is in the query. */
  readonly text: string;
}

const none: readonly Parameter[] = [];

/** The parameters of a canonical query, in order; empty parts do not count. `;` is no separator, `+` no space. */
export const parametersOf = (address: { readonly query: string }): readonly Parameter[] =>
  address.query === '' ? none : parametersIn(address);

const parametersIn = kept(({ query }: { readonly query: string }): readonly Parameter[] =>
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

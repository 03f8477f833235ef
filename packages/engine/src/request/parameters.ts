import { kept } from '../kept.ts';

/** A parameter of a query. */
export interface Parameter {
  readonly name: string;
  /** "" without `=`. */
  readonly value: string;
  /** As it is in the query. */
  readonly text: string;
}

/** The parameters of a canonical query, in order; empty parts do not count. `;` is no separator, `+` no space. */
export const parametersOf = kept(({ query }: { readonly query: string }): readonly Parameter[] =>
  query.split('&').flatMap((text) => {
    if (text === '') return [];
    const equals = text.indexOf('=');
    return [
      equals < 0
        ? { name: text, value: '', text }
        : { name: text.slice(0, equals), value: text.slice(equals + 1), text },
    ];
  }),
);

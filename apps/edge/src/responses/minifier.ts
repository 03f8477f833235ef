import type html from '@minify-html/node';

/** Makes a page in UTF-8 smaller. */
export type Minifier = Pick<typeof html, 'minify'>;

let loaded: Promise<Minifier | undefined> | undefined;

/** Loads it once. Undefined where there is no build for the system, such as one whose C library is musl. */
export const loadMinifier = (): Promise<Minifier | undefined> => {
  loaded ??= import('@minify-html/node').then(
    (module) => module.default,
    () => undefined,
  );
  return loaded;
};

import type html from '@minify-html/node';
import type { SettingKey } from '@zonewright/engine';

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

/** Settings that an edge without Varnish ignores. None of them protects anything. */
const ignored = ['processingEsi', 'processingSsi'] as const satisfies readonly SettingKey[];

/** Settings that this edge cannot act on: with `minifyHtml` where there is no minifier for the system. */
export const ignoredSettings = async (load = loadMinifier): Promise<readonly SettingKey[]> =>
  (await load()) === undefined ? ['minifyHtml', ...ignored] : ignored;

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const root = join(import.meta.dirname, '../../../..');

/** Packages and apps, such as `packages/core`. */
export const folderNames = ['apps', 'packages'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(parent, name)),
);

export interface Source {
  /** Path relative to the root. */
  readonly path: string;
  readonly text: string;
  /** Import and export specifiers, as written. */
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

const sourceOf = (path: string): Source => {
  const text = readFileSync(join(root, path), 'utf8');
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, target = '']) => target);
  return {
    path,
    text,
    imports: all(/^(?:import|export|\})[^'\n]*(?: from)? '([^']+)';$/gm),
    dynamicImports: all(/\bimport\('([^']+)'\)/g),
  };
};

const sourcesIn = (folder: string): readonly Source[] =>
  readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => sourceOf(join(folder, 'src', path)));

/** The sources of all packages and apps. */
export const sources = folderNames.flatMap(sourcesIn);

/** Imports between files of one package, as paths relative to the root. */
export const localImports = sources.flatMap(({ path, imports, dynamicImports }) =>
  [...imports, ...dynamicImports]
    .filter((target) => target.startsWith('.'))
    .map((target) => [path, normalize(join(dirname(path), target))] as const),
);

export const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted();

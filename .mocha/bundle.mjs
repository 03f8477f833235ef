import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const condition = '@zonewright/source';

/** Modules find what is beside them, wherever the bundle is. */
const ownPlaces = {
  name: 'own places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const places = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
      const contents = text.replaceAll(/import\.meta\.(url|dirname|filename)/g, (_, place) =>
        JSON.stringify(places[place]),
      );
      return { loader: 'ts', resolveDir: dirname(path), contents };
    });
  },
};

/** Packages stay where they are; each importer has its own. */
const packages = {
  name: 'packages',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      const isOurs = path.startsWith('@zonewright/');
      if (kind === 'entry-point' || isBuiltin(path) || isOurs || pluginData === packages) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: packages });
      return found.errors.length > 0 ? found : { path: pathToFileURL(found.path).href, external: true };
    });
  },
};

/**
 * Bundles files of tests, `packages/…/a.test.ts`, to `folder`, where they have the same paths and end in `.mjs`. Modules
 * that several of them import are there once. Many times faster to load than one by one, and faster to run: the loader for
 * single files wraps every function, so that it keeps its name.
 */
export const bundleTests = (root, files, folder) =>
  build({
    absWorkingDir: root,
    entryPoints: files,
    outbase: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: [condition],
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
    plugins: [ownPlaces, packages],
  });

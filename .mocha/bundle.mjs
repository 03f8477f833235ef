import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const condition = '@zonewright/source';

/** Resolves paths relative to the original module, wherever the bundle is. */
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

/**
 * The programs of threads and processes by the modules that name them. From source, each would load them file by file.
 */
const otherPrograms = new Map([
  ['apps/api/src/process/worker-url.ts', 'apps/api/src/process/request-worker.ts'],
  ['apps/edge/src/documents/checking/worker-url.ts', 'apps/edge/src/documents/checking/worker.ts'],
  ['apps/edge/src/transforming/pool/worker-url.ts', 'apps/edge/src/transforming/transformer/main.ts'],
  ['packages/analysis/src/threads/worker-url.ts', 'packages/analysis/src/threads/worker.ts'],
]);

/** Threads and processes run programs that are bundled with the tests. */
const otherUrls = (root, folder) => ({
  name: 'other programs',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/worker-url\.ts$/ }, ({ path }) => {
      const program = otherPrograms.get(relative(root, path));
      if (program === undefined) return undefined;
      const { href } = pathToFileURL(join(folder, program.replace(/\.ts$/, '.mjs')));
      return { contents: `export const workerUrl = new URL(${JSON.stringify(href)});` };
    });
  },
});

/** Packages are not bundled; each importer resolves its own. */
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
 * Bundles test files such as `packages/…/a.test.ts` to `folder`, keeping their paths, with the extension `.mjs`. Shared
 * modules are emitted once. Loading is many times faster than file by file, and so is running: the single-file loader
 * wraps every function to keep its name.
 */
export const bundleTests = (root, files, folder) =>
  build({
    absWorkingDir: root,
    entryPoints: [...files, ...otherPrograms.values()],
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
    plugins: [otherUrls(root, folder), ownPlaces, packages],
  });

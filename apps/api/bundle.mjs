/**
 * Makes `dist/main.js`, what production runs: the service in one file and what it needs later in some more, because reading
 * hundreds of modules one by one is most of a start. Native modules stay where they are installed; pages and migrations
 * are read from where they are in the repository; statements are part of the bundle.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const outdir = join(here, 'dist');

/** How a file of the repository is found from the bundle. */
const addressOf = (path) => `new URL(${JSON.stringify(relative(outdir, path))}, import.meta.url).href`;

/** Modules of ours find files beside themselves, wherever the bundle is. */
const ownPlaces = {
  name: 'own places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(?:apps|packages)\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', addressOf(path)) };
    });
  },
};

/** Asked for at run time, in the package that depends on them. */
const nativeModules = {
  name: 'native modules',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(?:argon2|bcrypt)$/ }, ({ path, importer }) => ({
      path: join(relative(outdir, dirname(dirname(importer))), 'node_modules', path),
      namespace: 'native',
    }));
    onResolve({ filter: /.*/, namespace: 'native' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace: 'native' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

/** The texts of all statements in place of the module that reads them. */
const statements = {
  name: 'statements',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/packages\/postgres\/src\/sql-file\.ts$/ }, () => {
      const folder = join(root, 'packages/postgres/sql');
      const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.sql'));
      const texts = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
      return {
        contents: `const texts = ${JSON.stringify(texts)};\nexport const sqlFile = (path) => texts[path];`,
      };
    });
  },
};

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { main: join(here, 'src/main.ts') },
  outdir,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['@zonewright/source'],
  external: ['@zonewright/dev-postgres', 'pg-native'],
  // Packages written for CommonJS ask for modules of Node by `require`.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  plugins: [ownPlaces, nativeModules, statements],
  legalComments: 'none',
  metafile: true,
}).then((r) => {
  if (process.env.META)
    import('node:fs').then((fs) => fs.writeFileSync('/tmp/base/meta.json', JSON.stringify(r.metafile)));
});

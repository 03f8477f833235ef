/**
 * Builds `dist`, which production runs: one file each for the service and the command line, because loading hundreds of
 * modules takes most of a start, and a few files for code loaded later or never. SQL statements are inlined. Native
 * modules, migrations and pages are loaded from the repository. `--if-changed` skips the build when it is up to date.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const outdir = join(here, 'dist');
const statementFolders = ['postgres', 'postgres-operations'].map((name) => join(root, 'packages', name, 'sql'));

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** The URL of a repository path, from a file of the bundle. */
const addressOf = (path) => `new URL(${JSON.stringify(relative(outdir, path))}, import.meta.url)`;

/** Lets our modules find their neighbouring files, wherever the bundle is. */
const ownPlaces = {
  name: 'own places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(?:apps|packages)\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      return {
        loader: 'ts',
        resolveDir: dirname(path),
        contents: text.replaceAll('import.meta.url', `${addressOf(path)}.href`),
      };
    });
  },
};

/** Native modules are resolved at run time, from the package that depends on them. */
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

/** Inlines all SQL statements in place of the module that reads them. */
const statements = {
  name: 'statements',
  setup: ({ onLoad }) => {
    onLoad(
      { filter: /\/packages\/postgres(?:-operations)?\/src\/(?:connection\/)?sql-file\.ts$/ },
      ({ path: module }) => {
        const folder = join(module.slice(0, module.lastIndexOf('/src/')), 'sql');
        const texts = filesIn(folder).map((path) => [relative(folder, path), readFileSync(path, 'utf8')]);
        return {
          contents: `const texts = ${JSON.stringify(Object.fromEntries(texts))};
          export const sqlFile = (path) => texts['rendered/' + path] ?? texts[path];`,
        };
      },
    );
  },
};

/** Request threads run their own file next to the service, with which they share most of their code; an edge is built by itself. */
const otherPrograms = {
  name: 'other programs',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/apps\/api\/src\/process\/worker-url\.ts$/ }, () => ({
      contents: `export const workerUrl = new URL('./request-worker.mjs', import.meta.url);`,
    }));
    onLoad({ filter: /\/apps\/api\/src\/edges\/edge-program\.ts$/ }, () => ({
      contents: `export const edgeProgram = ${addressOf(join(root, 'apps/edge/dist/main.js'))};`,
    }));
  },
};

/** We word violations ourselves: drops all of zod's fifty locales but the default. */
const oneLanguage = {
  name: 'one language',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
      resolveDir: dirname(path),
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/**
 * neverthrow is compiled for engines without async functions, so every call creates a generator. V8 keeps each generator's
 * map, and what it closes over, until the next full collection, so that the memory of whole requests is promoted.
 * This turns them back into async functions.
 */
const asyncFunctions = {
  name: 'async functions',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/neverthrow\/dist\/index\.[a-z]+\.js$/ }, ({ path }) => {
      let found = 0;
      const contents = readFileSync(path, 'utf8').replaceAll(
        /\(res\) => __awaiter\(this, void 0, void 0, function\* \(\) (\{.*?\n {8}\})\)/gs,
        (_, body) => {
          found += 1;
          return `async (res) => ${body.replaceAll('yield ', 'await ')}`;
        },
      );
      if (found !== 6) throw new Error('neverthrow is compiled in another way than it was.');
      return { contents };
    });
  },
};

const isUpToDate = () => {
  const service = join(outdir, 'service.mjs');
  if (!existsSync(service)) return false;
  const made = statSync(service).mtimeMs;
  const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'src'));
  const apps = ['api', 'cli', 'site'].map((name) => join(root, 'apps', name, 'src'));
  const sources = [...packages, ...apps, ...statementFolders].flatMap(filesIn);
  const own = ['entry.cjs', 'bundle.mjs'].map((name) => join(here, name));
  return [...sources, ...own, join(root, 'pnpm-lock.yaml')].every((path) => statSync(path).mtimeMs < made);
};

const common = {
  absWorkingDir: root,
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['@zonewright/source'],
  legalComments: 'none',
};

const bundle = async () => {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: {
      service: join(here, 'src/main.ts'),
      'request-worker': join(here, 'src/process/request-worker.ts'),
      zonewright: join(root, 'apps/cli/src/main.ts'),
    },
    // In the same folder as the entry points, so that relative paths are the same in all files.
    chunkNames: '[name]-[hash]',
    splitting: true,
    external: ['@zonewright/dev-postgres', 'pg-native'],
    // CommonJS packages load Node's modules by `require`.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [statements, otherPrograms, ownPlaces, nativeModules, oneLanguage, asyncFunctions],
  });
  copyFileSync(join(here, 'entry.cjs'), join(outdir, 'main.js'));
  writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
};

if (!process.argv.includes('--if-changed') || !isUpToDate()) {
  await bundle();
  await import('../../.release/commit.mjs');
}

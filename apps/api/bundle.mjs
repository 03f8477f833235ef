/**
 * Makes `dist`, what production runs: the service in one file and the command line in another, because reading hundreds of modules one by one is most of a
 * start, and a few more for what is loaded later or never. Statements are part of it. Native modules, migrations and pages
 * are found where they are in the repository. With `--if-changed` nothing is made that is there and newer than all it is
 * made of.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const outdir = join(here, 'dist');
const statementFolder = join(root, 'packages/postgres/sql');

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** How a file of the repository is found from a file of the bundle. */
const addressOf = (path) => `new URL(${JSON.stringify(relative(outdir, path))}, import.meta.url).href`;

/** Our modules find what is beside them, wherever the bundle is. */
const ownPlaces = {
  name: 'own places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(?:apps|packages)\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      return { loader: 'ts', resolveDir: dirname(path), contents: text.replaceAll('import.meta.url', addressOf(path)) };
    });
  },
};

/** Native modules are asked for at run time, in the package that depends on them. */
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
      const texts = filesIn(statementFolder).map((path) => [
        relative(statementFolder, path),
        readFileSync(path, 'utf8'),
      ]);
      return {
        contents: `const texts = ${JSON.stringify(Object.fromEntries(texts))};
          export const sqlFile = (path) => texts[path];`,
      };
    });
  },
};

/** The program of threads for analysis is a file beside the service. */
const analysisThreads = {
  name: 'analysis threads',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/packages\/analysis\/src\/worker-place\.ts$/ }, () => ({
      contents: `export const workerPlace = new URL('./analysis-worker.mjs', import.meta.url);`,
    }));
  },
};

/** Violations are worded here: of zod's fifty languages only the one that it loads by itself is needed. */
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
 * neverthrow is compiled for engines without async functions. Its steps are generators that are made for every call: V8 keeps
 * a map of each, and what it closes over, until the next full collection, which lets the memory of whole requests grow old.
 * Here they are async functions again.
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
  const sources = [...packages, join(here, 'src'), join(root, 'apps/cli/src'), statementFolder].flatMap(filesIn);
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
  // By itself: a start of the service reads nothing that only threads need.
  await build({ ...common, entryPoints: { 'analysis-worker': join(root, 'packages/analysis/src/worker.ts') } });
  await build({
    ...common,
    entryPoints: { service: join(here, 'src/main.ts'), zonewright: join(root, 'apps/cli/src/main.ts') },
    // Beside the entry point: all files of the bundle are equally far from what they need.
    chunkNames: '[name]-[hash]',
    splitting: true,
    external: ['@zonewright/dev-postgres', 'pg-native'],
    // Packages written as CommonJS ask for modules of Node by `require`.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [statements, analysisThreads, ownPlaces, nativeModules, oneLanguage, asyncFunctions],
  });
  copyFileSync(join(here, 'entry.cjs'), join(outdir, 'main.js'));
  writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
};

if (!process.argv.includes('--if-changed') || !isUpToDate()) await bundle();

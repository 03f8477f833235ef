/**
 * Copies what production needs from a built checkout into an empty folder: the bundle, the files it reads and its native
 * modules. Run `node apps/api/deploy/tree.mjs /opt/zonewright`; then `node /opt/zonewright/apps/api/dist/main.js` starts
 * the service, and `bin/zonewright` is the command line. The checkout is no longer needed.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const [, , given] = process.argv;

const leave = (line) => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

if (given === undefined) leave('Usage: node apps/api/deploy/tree.mjs <new folder>');
const target = resolve(given);
if (existsSync(target) && readdirSync(target).length > 0) leave(`${target} is not empty.`);
if (!existsSync(join(root, 'apps/api/dist/main.js'))) leave('There is no build: run "npx -y pnpm@12 build" first.');

/** The folder of a package as resolved from the file `from`. */
function folderOf(name, from) {
  const paths = createRequire(from).resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
  // Its own dependencies are siblings of the link's target.
  return found && realpathSync(found);
}

/** Copies files or folders to the same path in the tree, following links. */
function copy(path, from = join(root, path), filter = () => true) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  cpSync(from, join(target, path), { recursive: true, dereference: true, filter });
}

/** Copies native modules and their dependencies to where the bundle resolves them. */
function copyModules(owner, names, seen = new Set()) {
  for (const [name, from] of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    const folder = folderOf(name, from);
    if (folder === undefined) leave(`${name} is not installed.`);
    copy(join(owner, 'node_modules', name), folder, (file) => !file.slice(folder.length).includes('/node_modules'));
    const { dependencies = {} } = createRequire(import.meta.url)(join(folder, 'package.json'));
    // Only needed for compilation.
    const needed = Object.keys(dependencies).filter((each) => !['node-addon-api', 'cross-env'].includes(each));
    const manifest = join(folder, 'package.json');
    copyModules(
      owner,
      needed.map((each) => [each, manifest]),
      seen,
    );
  }
}

const crypto = join(root, 'packages/crypto/package.json');
const site = join(root, 'apps/site/package.json');
copy('bin/zonewright', join(root, 'apps/api/deploy/zonewright'));
for (const path of [
  'apps/api/dist',
  'apps/site/pages',
  'packages/postgres/migrations',
  'packages/configuration/package.json',
  'LICENSE',
])
  copy(path);
const commit = 'packages/configuration/dist/commit';
if (existsSync(join(root, commit))) copy(commit);
copyModules('packages/crypto', [
  ['argon2', crypto],
  ['bcrypt', crypto],
]);
const swagger = folderOf('swagger-ui-dist', site);
for (const file of ['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
  copy(join('apps/site/node_modules/swagger-ui-dist', file), join(swagger, file));
}

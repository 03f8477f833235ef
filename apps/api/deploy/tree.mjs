/**
 * Copies what production needs from a checkout with a build into an empty folder: the bundle, the files that it reads, and
 * its native modules. `node apps/api/deploy/tree.mjs /opt/zonewright`; then `node /opt/zonewright/apps/api/dist/main.js`
 * serves, and `apps/api/dist/zonewright.mjs` is the command line. Nothing else of the checkout or its dependencies is used.
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

/** The folder of a package, as the file `from` finds it. */
function folderOf(name, from) {
  const paths = createRequire(from).resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
  // Its own dependencies are beside what the link leads to.
  return found && realpathSync(found);
}

/** Copies files or folders to the same place in the tree; links become what they lead to. */
function copy(path, from = join(root, path), filter = () => true) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  cpSync(from, join(target, path), { recursive: true, dereference: true, filter });
}

/** Copies native modules with what they need, side by side, to where the bundle looks for them. */
function copyModules(owner, names, seen = new Set()) {
  for (const [name, from] of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    const folder = folderOf(name, from);
    if (folder === undefined) leave(`${name} is not installed.`);
    copy(join(owner, 'node_modules', name), folder, (file) => !file.slice(folder.length).includes('/node_modules'));
    const { dependencies = {} } = createRequire(import.meta.url)(join(folder, 'package.json'));
    // Headers for compiling, and a program that only compilation uses.
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
const api = join(root, 'apps/api/package.json');
for (const path of ['apps/api/dist', 'apps/api/pages', 'packages/postgres/migrations', 'LICENSE']) copy(path);
copyModules('packages/crypto', [
  ['argon2', crypto],
  ['bcrypt', crypto],
]);
const swagger = folderOf('swagger-ui-dist', api);
for (const file of ['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
  copy(join('apps/api/node_modules/swagger-ui-dist', file), join(swagger, file));
}

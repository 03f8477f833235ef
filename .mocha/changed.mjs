/**
 * Runs the tests closest to the changes since a commit (first argument; default: main), committed or not, for `pnpm quick`.
 * Distance is the number of imports between a test and a change. After about as many seconds as the second argument
 * says, estimated from `.mocha/seconds.json`, the remaining tests are left to the full run.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const [since = 'main', budgetSeconds = '30'] = process.argv.slice(2);
const budget = Number(budgetSeconds);
const measured = JSON.parse(readFileSync(join(import.meta.dirname, 'seconds.json'), 'utf8'));
const secondsOf = (file) => measured[file] ?? 0.3;

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
const base = git('merge-base', since, 'HEAD')[0];
const changed = new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]);

const sourcesIn = (folder) =>
  // As entries, because names would lead into the links of node_modules.
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .map(({ name, parentPath }) => relative(root, join(parentPath, name)))
    .filter((path) => path.endsWith('.ts') && !/(?:^|\/)(?:node_modules|dist)\//.test(path));
const packages = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(parent, name)),
);
const files = packages.flatMap((folder) => ['src', 'test'].flatMap((part) => within(join(folder, part))));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

function within(folder) {
  return existsSync(join(root, folder)) ? sourcesIn(folder) : [];
}

/** The file behind each export of a package's index: importing one name does not depend on all of them. */
const homes = new Map(
  packages.map((folder) => {
    const index = join(folder, 'src/index.ts');
    const exports = [...(texts.get(index) ?? '').matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)];
    const wholes = [...(texts.get(index) ?? '').matchAll(/^export \* from '([^']+)'/gm)];
    const named = [
      ...exports.map(([, names, target]) => [namesIn(names), join(folder, 'src', target)]),
      ...wholes.map(([, target]) => [declaredIn(join(folder, 'src', target)), join(folder, 'src', target)]),
    ];
    return [basename(folder), new Map(named.flatMap(([names, file]) => names.map((name) => [name, file])))];
  }),
);

function declaredIn(file) {
  const declarations = (texts.get(file) ?? '').matchAll(
    /^export (?:declare )?(?:async )?(?:const|function|type|interface|class) (\w+)/gm,
  );
  return [...declarations].map(([, name]) => name);
}

function namesIn(list) {
  return list.split(',').flatMap((name) => /(\w+)\s*$/.exec(name)?.[1] ?? []);
}

/** The files a file imports; for other packages, the files that define the imported names. */
function importsOf(file) {
  const found = texts
    .get(file)
    .matchAll(/^(?:import|export|\}) ?(?:type )?(?:\{([^}]*)\}|[^'{]*) ?(?:from )?'([^']+)';$/gm);
  return [...found].flatMap(([, names = '', target]) => {
    if (target.startsWith('.')) return [join(dirname(file), target)];
    const [, name] = /^@zonewright\/(.+)$/.exec(target) ?? [];
    if (name === undefined) return [];
    const index = `packages/${name}/src/index.ts`;
    return namesIn(names).map((each) => homes.get(name)?.get(each) ?? index);
  });
}

const importers = new Map();
for (const file of files) {
  for (const target of importsOf(file)) importers.set(target, [...(importers.get(target) ?? []), file]);
}

/**
 * The sources to start from: a source file itself; for others, such as statements and documents, the files that name
 * them.
 */
function readersOf(path) {
  if (texts.has(path)) return [path];
  const name = extname(path) === '.sql' ? `${basename(dirname(path))}/${basename(path)}` : basename(path);
  return files.filter((file) => texts.get(file).includes(name));
}

/** Tests by distance from the changes. */
function reached() {
  let front = [...changed].flatMap(readersOf);
  const seen = new Set(front);
  const tests = [];
  while (front.length > 0) {
    tests.push(...front.filter((file) => file.endsWith('.test.ts')).sort((a, b) => secondsOf(a) - secondsOf(b)));
    front = [...new Set(front.flatMap((file) => importers.get(file) ?? []))].filter((file) => !seen.has(file));
    for (const file of front) seen.add(file);
  }
  return tests;
}

const tests = reached();
let seconds = 0;
const chosen = tests.filter((file, index) => {
  seconds += secondsOf(file);
  return index === 0 || seconds <= budget;
});
const left = tests.length - chosen.length;
process.stdout.write(
  `${chosen.length} files of tests${left === 0 ? '' : `; ${left} further away are left to the whole run`}\n`,
);
if (chosen.length > 0) {
  const { status } = spawnSync('node_modules/.bin/mocha', chosen, { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

/**
 * `pnpm test`: builds, then runs tests, format, unused exports and lint with types in parallel, because tests spend much
 * of their time waiting. Every program runs to its end, so that one run reports all problems. The output of each is
 * printed when it ends, the tests' last; a final line names those that failed.
 *
 * `pnpm test <kind> [mocha's options]`: runs the tests of one of the kinds that `kinds.mjs` lists, such as `pnpm test long`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { kinds } from './kinds.mjs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
/** The compiler and the linter are written in Go: collecting half as often saves a sixth of their time. */
const env = { GOGC: '200', ...process.env };

/** Runs a command line to its end; pnpm has put its programs on the PATH. */
async function run(name, command = scripts[name]) {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'], env });
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  return { name, isFine: code === 0, output: [`$ ${command}\n`, ...(await outputs)].join('') };
}

/** The names of what failed. */
async function everything() {
  const ended = [];
  const report = (result) => {
    process.stdout.write(result.output);
    ended.push(result);
  };
  report(await run('build'));
  if (ended[0].isFine) {
    const tests = run('tests', 'node .mocha/parallel.mjs');
    for (const name of ['check:format', 'unused', 'lint']) report(await run(name));
    report(await tests);
  }
  return ended.filter(({ isFine }) => !isFine).map(({ name }) => name);
}

/** The files of a kind, in the test folders of all packages and apps. */
const filesOf = (kind) =>
  ['packages', 'apps']
    .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name, 'test')))
    .map((folder) => join(folder, '**', `*.${kind}.ts`));

/** Runs one kind with the output as it comes; resolves to the exit code. */
function oneKind(kind, options) {
  const { build = false, jobs, flags = [], env: own = {} } = kinds[kind];
  const start = (command, args) => spawnSync(command, args, { stdio: 'inherit', env: { ...env, ...own } }).status ?? 1;
  const code = build ? start('sh', ['-c', scripts.build]) : 0;
  if (code !== 0) return code;
  return jobs === undefined
    ? start('mocha', [...flags, ...options, ...filesOf(kind)])
    : start(process.execPath, ['.mocha/parallel.mjs', kind, ...options]);
}

const [kind, ...options] = process.argv.slice(2);
if (kind === undefined) {
  const failed = await everything();
  if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(', ')}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} else if (Object.hasOwn(kinds, kind)) {
  process.exitCode = oneKind(kind, options);
} else {
  process.stdout.write(`There are no tests of the kind "${kind}", only of: ${Object.keys(kinds).join(', ')}.\n`);
  process.exitCode = 1;
}

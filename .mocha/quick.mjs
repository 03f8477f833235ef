/**
 * `pnpm quick [since]`: what to run after each change, in seconds. Checks all types, the format and lint of the files that
 * changed since `since` (default: main), committed or not, and runs the tests closest to them.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const since = process.argv[2] ?? 'main';
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
const base = git('merge-base', since, 'HEAD')[0];
const changed = [
  ...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]),
].filter((file) => existsSync(file));
const ending = (pattern) => changed.filter((file) => pattern.test(file));

/** Runs a program; prints what it says if it fails. */
async function run(program, ...args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  if (code !== 0) process.stdout.write([`$ ${program} ${args[0]}\n`, ...(await outputs)].join(''));
  return code === 0;
}

/** The same for files, if there are any. */
const runOn = (files, ...command) => (files.length === 0 ? true : run(...command, ...files));

const types = async () =>
  (await run('tsc', '-b', 'tsconfig.build.json')) && run('tsc', '-p', 'tsconfig.json', '--noEmit');
const tests = async () => {
  const child = spawn(process.execPath, ['.mocha/changed.mjs', since, '8'], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code === 0;
};
const results = await Promise.all([
  types(),
  runOn(ending(/\.(?:ts|js|mjs|cjs|json|jsonc|css)$/), 'biome', 'check', '--no-errors-on-unmatched'),
  runOn(ending(/\.(?:ts|js|mjs)$/), 'oxlint', '--deny-warnings'),
  tests(),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;

/**
 * `pnpm mutate [word]`: applies small defects to the sources, one at a time in a scratch copy, and runs the tests that
 * should detect each. Lists survivors and exits with 1 if there are any. With a word, selects mutations whose file,
 * replacement or tests contain it. Not part of the check: it shows whether tests can be removed, not whether the code
 * is correct.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mutations } from './mutations.mjs';

const root = resolve(import.meta.dirname, '..');
const word = process.argv[2] ?? '';
const chosen = mutations.filter((mutation) => JSON.stringify(mutation).includes(word));

/** The mutations whose place in the sources has changed. */
const stale = chosen.filter(({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length !== 2);
if (stale.length > 0) {
  throw new Error(`Not exactly once: ${stale.map(({ file, from }) => `${from} in ${file}`).join('; ')}`);
}

const scratch = mkdtempSync(join(tmpdir(), 'zonewright-mutate-'));
for (const name of ['packages', 'apps', 'package.json', '.mocharc.json', '.mocha', 'tsconfig.base.json']) {
  cpSync(join(root, name), join(scratch, name), { recursive: true, verbatimSymlinks: true });
}
symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));

/** Whether the tests detect the mutation. */
async function isFound(tests) {
  const mocha = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', '--bail', '--exit', ...tests], {
    cwd: scratch,
    stdio: 'ignore',
  });
  const [code] = await once(mocha, 'close');
  return code !== 0;
}

let survivors = 0;
try {
  // Tests that already fail would detect everything.
  for (const tests of new Set(chosen.map(({ tests }) => tests))) {
    if (await isFound(tests)) throw new Error(`These tests fail without a mutation: ${tests.join(' ')}`);
  }
  for (const { file, from, to, tests } of chosen) {
    const path = join(scratch, file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      source.replace(from, () => to),
    );
    const found = await isFound(tests);
    writeFileSync(path, source);
    if (!found) survivors += 1;
    process.stdout.write(`${found ? 'killed  ' : 'SURVIVED'} ${file}: ${from} -> ${to}\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(`${chosen.length - survivors} killed, ${survivors} survived\n`);
process.exitCode = survivors === 0 ? 0 : 1;

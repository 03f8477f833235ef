import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import mocha from 'mocha';

const { EVENT_RUN_END, EVENT_SUITE_END, EVENT_TEST_END, EVENT_TEST_FAIL } = mocha.Runner.constants;
const root = resolve(import.meta.dirname, '..');

/**
 * The spec reporter with a final line for programs: `N passed, N failed`. With `MOCHA_SECONDS=1` it also records the
 * duration of each file in `.mocha/seconds.json`, by which the full run orders its files; those below a second are omitted.
 */
export default class SpecWithTotals extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    // Until mocha sets it: if all workers crash, it ends without doing so.
    process.exitCode = 1;
    const seconds = secondsByFile(runner);
    let hasEnded = false;
    runner.once(EVENT_RUN_END, () => {
      hasEnded = true;
      if (process.env.MOCHA_SECONDS === '1') keep(seconds);
    });
    runner.on(EVENT_TEST_FAIL, (_, failure) => {
      // The base reporter shows only the first file that does not load or that crashes its worker.
      if (failure?.file !== undefined) process.stderr.write(`${sourceOf(failure.file)}: ${failure.stack}\n`);
    });
    // Every such file ends the run once more.
    process.once('exit', () => {
      const { passes, failures } = this.stats;
      process.stdout.write(`${passes} passed, ${hasEnded ? failures : failures + 1} failed\n`);
    });
  }
}

/** The source of a test file; the full run bundles it under the same path in another folder. */
const sourceOf = (file) => relative(process.env.MOCHA_BUNDLE ?? root, file).replace(/mjs$/, 'ts');

/** Time until a test or suite ends counts for its file, because hooks have no events of their own. */
function secondsByFile(runner) {
  const seconds = new Map();
  let last = performance.now();
  const book = ({ file }) => {
    const now = performance.now();
    if (file !== undefined) seconds.set(file, (seconds.get(file) ?? 0) + (now - last) / 1000);
    last = now;
  };
  runner.on(EVENT_TEST_END, book);
  runner.on(EVENT_SUITE_END, book);
  return seconds;
}

function keep(seconds) {
  const path = join(import.meta.dirname, 'seconds.json');
  const known = new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8'))));
  for (const [file, count] of seconds) {
    const name = sourceOf(file);
    if (count < 1) known.delete(name);
    else known.set(name, Math.round(count));
  }
  const sorted = [...known].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

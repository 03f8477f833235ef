/**
 * Runs all tests, or with `browser` those of the pages, in parallel processes: they mostly wait for databases, mail
 * servers, browsers and other processes. Files are distributed by their durations in `.mocha/seconds.json`, so that all
 * groups take equally long. A group's output is printed when it ends; the last line has the totals.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundleTests } from './bundle.mjs';

const root = resolve(import.meta.dirname, '..');
/** The number of processes for each kind of tests, and their options. */
const kinds = {
  // The check has built everything: processes under test run from the build.
  test: { groups: 3, flags: [], env: { ZONEWRIGHT_TEST_BUILD: '1' } },
  // Each group has its own browser.
  browser: { groups: 2, flags: ['--timeout', '60000'], env: {} },
};
const kind = process.argv[2] ?? 'test';
const { groups: groupCount, flags: kindFlags, env } = kinds[kind];
/** Estimate for files without a recorded duration, which are short. */
const usualSeconds = 0.3;
const measured = JSON.parse(readFileSync(join(import.meta.dirname, 'seconds.json'), 'utf8'));
const secondsOf = (file) => measured[file] ?? usualSeconds;

const foldersIn = (parent) => readdirSync(join(root, parent)).map((name) => join(parent, name, 'test'));
const files = [...foldersIn('packages'), ...foldersIn('apps')].flatMap((folder) =>
  existsSync(join(root, folder)) ? testsIn(folder) : [],
);

function testsIn(folder) {
  const found = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const own = found.filter((path) => path.endsWith(`.${kind}.ts`) && !path.includes('node_modules'));
  return own.map((path) => join(folder, path));
}

/** Longest files first, each to the group with the least work. */
function dealt(count) {
  const groups = Array.from({ length: count }, () => ({ seconds: 0, files: [] }));
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const [least] = groups.toSorted((a, b) => a.seconds - b.seconds);
    least.seconds += secondsOf(file);
    least.files.push(file);
  }
  return groups.map((group) => group.files);
}

/** A folder in memory with enough space, if there is one: databases write thousands of files. */
function temporaryFolder() {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 4 * 2 ** 30 ? inMemory : tmpdir();
}

const program = ['node_modules/mocha/bin/mocha.js', '--config', '.mocha/groups.json', ...kindFlags];
/**
 * Most objects in tests are short-lived: a larger semi-space means less copying. Most code runs only a few times:
 * optimizing it after four times the default 132 KiB of bytecode saves a sixth of the time.
 */
const flags = ['--enable-source-maps', '--max-semi-space-size=64', '--interrupt-budget=540672'];

const run = async (folder, group) => {
  const bundles = group.map((file) => join(folder, file.replace(/ts$/, 'mjs')));
  const mocha = spawn(process.execPath, [...flags, ...program, ...bundles], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env, TMPDIR: temporary, MOCHA_BUNDLE: folder },
  });
  const [report, [code]] = await Promise.all([text(mocha.stdout), once(mocha, 'close')]);
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(report) ?? [];
  // Only the totals may look like the final count.
  process.stdout.write(report.replace(/^\d+ passed, \d+ failed\n?$/m, ''));
  return { passed: Number(passed ?? 0), failed: Number(failed ?? (code === 0 ? 0 : 1)), code: code ?? 1 };
};

const temporary = temporaryFolder();
const bundled = mkdtempSync(join(temporary, 'zonewright-mocha-'));
process.on('exit', () => rmSync(bundled, { recursive: true, force: true }));
await bundleTests(root, files, bundled);
const ended = await Promise.all(dealt(groupCount).map((group) => run(bundled, group)));
const sum = (count) => ended.reduce((total, group) => total + count(group), 0);
const failed = sum((group) => group.failed);
process.stdout.write(`${sum((group) => group.passed)} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && ended.every(({ code }) => code === 0) ? 0 : 1;

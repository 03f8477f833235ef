/**
 * Runs all tests, or with `browser` those of the pages, in several processes side by side: much of their time is spent
 * waiting for databases, mail servers, browsers and other processes. Files are dealt out so that all groups take equally
 * long, by the seconds that `.mocha/seconds.json` has for them. The output of a group is printed whole when the group has
 * ended; the last line counts all.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundleTests } from './bundle.mjs';

const root = resolve(import.meta.dirname, '..');
/** How many processes run a kind of tests, and what each of them gets. */
const kinds = {
  // The check has built everything by now: processes under test start from that.
  test: { groups: 3, flags: [], env: { ZONEWRIGHT_TEST_BUILD: '1' } },
  // Each has a browser of its own.
  browser: { groups: 2, flags: ['--timeout', '60000'], env: {} },
};
const kind = process.argv[2] ?? 'test';
const { groups: groupCount, flags: kindFlags, env } = kinds[kind];
/** What files take of which nothing is known: they are short. */
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

/** The longest files first, each to the group that has least to do so far. */
function dealt(count) {
  const groups = Array.from({ length: count }, () => ({ seconds: 0, files: [] }));
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const [least] = groups.toSorted((a, b) => a.seconds - b.seconds);
    least.seconds += secondsOf(file);
    least.files.push(file);
  }
  return groups.map((group) => group.files);
}

const program = ['node_modules/mocha/bin/mocha.js', '--config', '.mocha/groups.json', ...kindFlags];
/**
 * Short-lived objects are most of what tests make: with room for them the collector has less to copy. And most of their
 * code runs a few times only: optimizing it later, after four times the usual 132 KiB of bytecode, saves a sixth.
 */
const flags = ['--enable-source-maps', '--max-semi-space-size=64', '--interrupt-budget=540672'];

const run = async (folder, group) => {
  const bundles = group.map((file) => join(folder, file.replace(/ts$/, 'mjs')));
  const mocha = spawn(process.execPath, [...flags, ...program, ...bundles], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const [report, [code]] = await Promise.all([text(mocha.stdout), once(mocha, 'close')]);
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(report) ?? [];
  // The group's own count would be taken for the last word.
  process.stdout.write(report.replace(/^\d+ passed, \d+ failed\n?$/m, ''));
  return { passed: Number(passed ?? 0), failed: Number(failed ?? (code === 0 ? 0 : 1)), code: code ?? 1 };
};

const bundled = mkdtempSync(join(tmpdir(), 'zonewright-mocha-'));
process.on('exit', () => rmSync(bundled, { recursive: true, force: true }));
await bundleTests(root, files, bundled);
const ended = await Promise.all(dealt(groupCount).map((group) => run(bundled, group)));
const sum = (count) => ended.reduce((total, group) => total + count(group), 0);
const failed = sum((group) => group.failed);
process.stdout.write(`${sum((group) => group.passed)} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && ended.every(({ code }) => code === 0) ? 0 : 1;

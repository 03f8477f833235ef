/**
 * Runs the tests in two processes side by side: most of their time is spent waiting for databases, mail servers and
 * other processes. Files are dealt out so that both take equally long, by the seconds that `.mocha/seconds.json` has
 * for them. The output of a group is printed whole when the group has ended; the last line counts both.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const root = resolve(import.meta.dirname, '..');
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
  return found.filter((path) => path.endsWith('.test.ts')).map((path) => join(folder, path));
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

const run = async (group) => {
  const mocha = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...group], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    // The check has built everything by now: processes under test start from that.
    env: { ...process.env, ZONEWRIGHT_TEST_BUILD: '1' },
  });
  const [report, [code]] = await Promise.all([text(mocha.stdout), once(mocha, 'close')]);
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(report) ?? [];
  // The group's own count would be taken for the last word.
  process.stdout.write(report.replace(/^\d+ passed, \d+ failed\n?$/m, ''));
  return { passed: Number(passed ?? 0), failed: Number(failed ?? (code === 0 ? 0 : 1)), code: code ?? 1 };
};

const ended = await Promise.all(dealt(2).map(run));
const sum = (count) => ended.reduce((total, group) => total + count(group), 0);
const failed = sum((group) => group.failed);
process.stdout.write(`${sum((group) => group.passed)} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && ended.every(({ code }) => code === 0) ? 0 : 1;

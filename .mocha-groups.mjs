/**
 * Runs the tests in two processes side by side: most of their time is spent waiting for databases, mail servers and
 * other processes. The output of a group is printed whole when the group has ended; the last line counts both.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const groups = [
  ['packages/*/test/**/*.test.ts', 'apps/api/test/faults/**/*.test.ts'],
  ['apps/api/test/*.test.ts', 'apps/api/test/{http,linked-data,openapi,present}/**/*.test.ts'],
];

const run = async (patterns) => {
  const mocha = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...patterns], {
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

const ended = await Promise.all(groups.map(run));
const sum = (count) => ended.reduce((total, group) => total + count(group), 0);
const failed = sum((group) => group.failed);
process.stdout.write(`${sum((group) => group.passed)} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && ended.every(({ code }) => code === 0) ? 0 : 1;

/**
 * Runs the tests of a kind that `kinds.mjs` gives several processes: they mostly wait for databases, mail servers, browsers
 * and other processes. A process that has finished a file takes the next one, the
 * longest first by their durations in `.mocha/seconds.json`. The last line has the totals.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { bundleTests } from './bundle.mjs';
import { kinds } from './kinds.mjs';

const root = resolve(import.meta.dirname, '..');
/** Started once for all processes; each test has databases of its own. */
const databaseServer = '.mocha/database-server.mjs';
const [kind = 'test', ...options] = process.argv.slice(2);
const { jobs, database = false, flags = [], env = {} } = kinds[kind];
/** Durations are recorded in one process. */
const parallelism = process.env.MOCHA_SECONDS === '1' ? ['--no-parallel'] : ['--jobs', String(jobs)];
/** Estimate for files without a recorded duration, which are short. */
const usualSeconds = 0.3;
const measured = JSON.parse(readFileSync(join(import.meta.dirname, 'seconds.json'), 'utf8'));
const secondsOf = (file) => measured[file] ?? usualSeconds;

const foldersIn = (parent) => readdirSync(join(root, parent)).map((name) => join(parent, name, 'test'));
const files = [...foldersIn('packages'), ...foldersIn('apps')]
  .flatMap((folder) => (existsSync(join(root, folder)) ? testsIn(folder) : []))
  .toSorted((a, b) => secondsOf(b) - secondsOf(a));

function testsIn(folder) {
  // As entries, because names would lead into the links of node_modules.
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name.endsWith(`.${kind}.ts`) && !parentPath.includes('node_modules'))
    .map(({ name, parentPath }) => relative(root, join(parentPath, name)));
}

/** A folder in memory with enough space, if there is one: databases write thousands of files. */
function temporaryFolder() {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 4 * 2 ** 30 ? inMemory : tmpdir();
}

/**
 * Most objects in tests are short-lived: a larger semi-space means less copying. Most code runs only a few times:
 * optimizing it after four times the default 132 KiB of bytecode saves a sixth of the time.
 */
const nodeFlags = [
  '--enable-source-maps',
  // Mocha ignores rejections that nothing handles.
  '--unhandled-rejections=strict',
  '--max-semi-space-size=64',
  '--interrupt-budget=540672',
];
const program = ['node_modules/mocha/bin/mocha.js', '--config', '.mocha/parallel.json'];

const folder = mkdtempSync(join(temporaryFolder(), 'zonewright-mocha-'));
// The database server may run as another user.
chmodSync(folder, 0o711);
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
const bundled = (file) => join(folder, file.replace(/\.m?[jt]s$/, '.mjs'));
const fixtures = database ? [databaseServer] : [];
await bundleTests(root, [...fixtures, ...files], folder);
const required = fixtures.flatMap((file) => ['--require', bundled(file)]);
const args = [...parallelism, ...required, ...flags, ...options, ...files.map(bundled)];
const mocha = spawn(process.execPath, [...nodeFlags, ...program, ...args], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, ...env, TMPDIR: folder, MOCHA_BUNDLE: folder },
});
const [code] = await once(mocha, 'close');
process.exitCode = code ?? 1;

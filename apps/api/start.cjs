/**
 * What `pnpm start` runs. On a developer's machine it builds what has changed (a tenth of a second when nothing has)
 * and serves from this very process, so that signals reach the service directly. In production it serves what was
 * built before and changes nothing on disk.
 */
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');

// Threads for password hashes beside those for names and files. It must be said before the first thread is made, and
// loading an ES module makes one: that is why this file is none.
process.env.UV_THREADPOOL_SIZE ??= '8';

const root = join(__dirname, '../..');
const entryPoint = join(__dirname, 'dist/main.js');

const leave = (line) => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

/** The compiler of the workspace, run by this very node. */
const compiler = () => {
  try {
    return join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  } catch {
    return leave('The compiler is not installed: run "npx -y pnpm@12 install" first.');
  }
};

const build = () => {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [compiler(), '-b', 'tsconfig.build.json'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  leave(`The build failed${signal === null ? '' : ` (${signal})`}.`);
};

if (process.env.NODE_ENV !== 'production') build();
else if (!existsSync(entryPoint)) leave('There is no build: run "npx -y pnpm@12 build" before starting in production.');

import(pathToFileURL(entryPoint).href).catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  leave(`The service cannot be loaded (${error.message}): install the dependencies and build first.`);
});

#!/usr/bin/env node
/**
 * `pnpm edge`: runs the edge from the build. On a developer's machine it is rebuilt first if sources have changed;
 * production never writes to disk.
 */
const { spawnSync } = require('node:child_process');
const { isWorker } = require('node:cluster');
const { existsSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '../..');
const entryPoint = path.join(__dirname, 'dist/main.js');

const leave = (line) => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

/** The workspace's compiler, run by the same Node; an installed package has none, and is built. */
const compiler = () => {
  try {
    return path.join(path.dirname(require.resolve('typescript/package.json', { paths: [root] })), 'bin/tsc');
  } catch {
    return undefined;
  }
};

// Forked processes run this file too, with the build of the first one.
const tsc = process.env.NODE_ENV === 'production' || isWorker ? undefined : compiler();
if (tsc !== undefined) {
  const build = [tsc, '-b', path.join(__dirname, 'tsconfig.build.json')];
  const { status, stdout, stderr } = spawnSync(process.execPath, build, { cwd: root, encoding: 'utf8' });
  if (status !== 0) leave(`${stdout}${stderr}The build failed.`);
}
if (!existsSync(entryPoint)) leave('There is no build: run "npx -y pnpm@12 build" first.');

import(entryPoint).catch((error) => leave(`The edge cannot be loaded: ${error.message}`));

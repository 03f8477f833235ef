#!/usr/bin/env node
/**
 * `pnpm zonewright`: runs the command line from the build. On a developer's machine it is rebuilt first if sources have
 * changed; production never writes to disk.
 */
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '../..');
const entryPoint = path.join(root, 'apps/api/dist/zonewright.mjs');

const leave = (line) => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

if (process.env.NODE_ENV !== 'production') {
  const build = [path.join(root, 'apps/api/bundle.mjs'), '--if-changed'];
  const { status, stderr } = spawnSync(process.execPath, build, { cwd: root, encoding: 'utf8' });
  if (status !== 0) leave(`${stderr}The build failed.`);
} else if (!existsSync(entryPoint)) {
  leave('There is no build: run "npx -y pnpm@12 build" first.');
}

import(entryPoint).catch((error) => leave(`The command line cannot be loaded: ${error.message}`));

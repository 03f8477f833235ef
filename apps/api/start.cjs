/**
 * `pnpm start`. On a developer's machine it builds what has changed and serves from this process, so that signals reach
 * the service directly. In production it serves the existing build and never writes to disk.
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

/** The workspace's compiler, run by the same Node. */
const compiler = () => {
  try {
    return path.join(path.dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  } catch {
    return leave('The compiler is not installed: run "npx -y pnpm@12 install" first.');
  }
};

const run = (...command) => {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  leave(`The build failed${signal === null ? '' : ` (${signal})`}.`);
};

if (process.env.NODE_ENV !== 'production') {
  // An edge and origins beside the service, as in its tour. Where there is a database, there may be edges, too.
  process.env.ORIGIN_NETWORKS ||= '127.0.0.0/8,::1/128';
  process.env.EDGE_PORT ||= process.env.DATABASE_URL ? 'off' : '3080';
}

// Forked worker processes run this file too, with the build of the first process.
if (process.env.NODE_ENV !== 'production' && !isWorker) {
  if (!existsSync(entryPoint)) process.stdout.write('\nBuilding Zonewright, which takes a moment the first time.\n');
  run(compiler(), '-b', 'tsconfig.build.json');
  run(path.join(__dirname, 'bundle.mjs'), '--if-changed');
} else if (!existsSync(entryPoint)) {
  leave('There is no build: run "npx -y pnpm@12 build" before starting in production.');
}

require(entryPoint);

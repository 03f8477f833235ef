/**
 * What `pnpm start` runs. On a developer's machine it builds what has changed and serves from this very process, so that
 * signals reach the service directly. In production it serves what was built before and changes nothing on disk.
 */
const { spawnSync } = require('node:child_process');
const { isWorker } = require('node:cluster');
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

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

const run = (...command) => {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  leave(`The build failed${signal === null ? '' : ` (${signal})`}.`);
};

// Processes that the service starts to serve with it come here, too, and run what was built for the first one.
if (process.env.NODE_ENV !== 'production' && !isWorker) {
  if (!existsSync(entryPoint)) process.stdout.write('\nBuilding Zonewright, which takes a moment the first time.\n');
  run(compiler(), '-b', 'tsconfig.build.json');
  run(join(__dirname, 'bundle.mjs'), '--if-changed');
} else if (!existsSync(entryPoint)) {
  leave('There is no build: run "npx -y pnpm@12 build" before starting in production.');
}

require(entryPoint);

/**
 * What `pnpm start` runs. On a developer's machine it builds what has changed (a tenth of a second when nothing has)
 * and serves from this very process, so that signals reach the service directly. In production it serves what was
 * built before and changes nothing on disk.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const entryPoint = new URL('dist/main.js', import.meta.url);

const leave = (line) => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

/** The compiler of the workspace, run by this very node. */
const compiler = () => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
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

try {
  await import(entryPoint.href);
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  leave(`The service cannot be loaded (${error.message}): install the dependencies and build first.`);
}

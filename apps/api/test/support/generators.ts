import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A workspace of its own: an installation of the service does without these 500 packages. */
export const folderOfGenerators = new URL('../generators/', import.meta.url);
const cwd = fileURLToPath(folderOfGenerators);

/** Installs what the lock file says, unless that is there. */
export async function installGenerators(): Promise<void> {
  const [wanted, installed] = await Promise.all(
    ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((path) =>
      readFile(new URL(path, folderOfGenerators), 'utf8').catch(() => ''),
    ),
  );
  if (wanted === installed) return;
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  await promisify(execFile)(npx, ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], { cwd });
}

/** Runs one of their programs in their folder; resolves to what it printed, or rejects with it. */
export const runGenerator = (
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => run(fileURLToPath(new URL(`node_modules/.bin/${name}`, folderOfGenerators)), args, env);

/** Compiles what they made, and what uses it; resolves to the complaints. */
export const compileGenerated = (): Promise<string> =>
  run(process.execPath, [
    fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url)),
    '-p',
    cwd,
  ]);

const run = (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
  promisify(execFile)(program, args, { cwd, env: { ...process.env, ...env } }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`${program} failed:\n${stdout}${stderr}`);
    },
  );

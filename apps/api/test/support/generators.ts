import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A separate workspace, so that installing the service does not install these 500 packages. */
export const generatorsFolder = new URL('../generators/', import.meta.url);
const cwd = fileURLToPath(generatorsFolder);

/** Installs the locked versions unless present. */
export async function installGenerators(): Promise<void> {
  const [wanted, installed] = await Promise.all(
    ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((path) =>
      readFile(new URL(path, generatorsFolder), 'utf8').catch(() => ''),
    ),
  );
  if (wanted === installed) return;
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  await promisify(execFile)(npx, ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], { cwd });
}

/** Runs a generator in its folder; resolves to its output, or rejects with it. */
export const runGenerator = (
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => run(fileURLToPath(new URL(`node_modules/.bin/${name}`, generatorsFolder)), args, env);

/** Compiles the generated code and its users; resolves to the compiler's errors. */
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

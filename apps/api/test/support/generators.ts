import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installOwnWorkspace } from './own-workspace.ts';

/** A separate workspace, so that installing the service does not install these 500 packages. */
export const generatorsFolder = new URL('../generators/', import.meta.url);
const cwd = fileURLToPath(generatorsFolder);

/** Installs the locked versions unless present. */
export const installGenerators = (): Promise<void> => installOwnWorkspace(generatorsFolder);

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

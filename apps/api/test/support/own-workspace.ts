import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Installs the locked versions of a workspace below this one unless present. Installing the service does not install the
 * hundreds of packages that only one test needs.
 */
export async function installOwnWorkspace(folder: URL): Promise<void> {
  const [wanted, installed] = await Promise.all(
    ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((path) =>
      readFile(new URL(path, folder), 'utf8').catch(() => ''),
    ),
  );
  if (wanted === installed) return;
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  const cwd = fileURLToPath(folder);
  await promisify(execFile)(npx, ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], { cwd });
}

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Result } from 'neverthrow';

/**
 * Makes a folder and those above it, which other users may enter and not list. Fails with an error code of the system.
 * `mkdir` with `recursive` never ends where the system answers ENOENT below a folder that exists, as in `/proc`.
 */
export const makeFolder = (path: string): Result<void, string> =>
  Result.fromThrowable(makeEach, (error) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return code === 'EEXIST' ? 'ENOTDIR' : code;
  })(path);

function makeEach(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeEach(dirname(path));
  try {
    mkdirSync(path, { mode: 0o711 });
  } catch (error) {
    // Another start may have made it at the same moment.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

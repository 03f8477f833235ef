import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Result } from 'neverthrow';

/**
 * Creates a folder and its parents, which other users may enter but not list. Fails with a system error code. Not
 * `mkdir` with `recursive`, which never returns if the system answers ENOENT below an existing folder, as in `/proc`.
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
    // Another process may have just created it.
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

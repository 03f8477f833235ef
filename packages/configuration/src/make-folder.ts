import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Result } from 'neverthrow';
import { attempt } from './private-file.ts';

/**
 * Creates a folder and its parents, which other users may enter but not list. Fails with a system error code. Not
 * `mkdir` with `recursive`, which never returns if the system answers ENOENT below an existing folder, as in `/proc`.
 */
export const makeFolder = (path: string): Result<void, string> =>
  attempt(() => makeEach(path)).mapErr((code) => (code === 'EEXIST' ? 'ENOTDIR' : code));

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

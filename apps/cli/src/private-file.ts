import { type FileHandle, open, rm } from 'node:fs/promises';
import { CommandFailure } from './failure.ts';

/**
 * Creates a file that only its owner can read, from the first byte and whatever the umask, and writes it. Never
 * overwrites a file and follows no link. Nothing is left of it if writing fails.
 */
export async function writePrivateFile<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure([unwritable(path, error)]);
  });
  try {
    return await write(file);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

const unwritable = (path: string, { code, message }: NodeJS.ErrnoException): string =>
  code === 'EEXIST' ? `${path} already exists.` : `${path} cannot be written: ${message}`;

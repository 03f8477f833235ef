import { execFile } from 'node:child_process';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const lockOf = (folder: string): string => join(folder, 'postmaster.pid');

/** Whether the process named in a server's lock file serves the folder; undefined: unknown. A zombie has no command. */
async function serves(pid: string, folder: string): Promise<boolean | undefined> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() =>
    process.platform === 'linux'
      ? ''
      : promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', pid]).then(
          ({ stdout }) => stdout,
          () => undefined,
        ),
  );
  return command?.includes(folder);
}

const linesOf = async (file: string): Promise<readonly string[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n');

/** The port on which a process serves the folder; undefined: none. */
export async function servedPort(folder: string): Promise<number | undefined> {
  const [pid = '', , , port] = await linesOf(lockOf(folder));
  return pid !== '' && (await serves(pid, folder)) === true ? Number(port) : undefined;
}

/** Whether the folder's server accepts connections, according to its lock file. */
export const isReady = async (folder: string): Promise<boolean> =>
  (await linesOf(lockOf(folder))).at(7)?.trim() === 'ready';

/**
 * Removes the lock file that a crash has left, if another process has got its id by now: the server would take that for
 * a running one. It is moved aside first: a server that has started meanwhile gets its own back.
 */
export async function removeStaleLock(folder: string): Promise<void> {
  const [lock, aside] = [lockOf(folder), `${lockOf(folder)}.${process.pid}`];
  const [pid = ''] = await linesOf(lock);
  if (pid === '' || (await serves(pid, folder)) !== false) return;
  await rename(lock, aside).catch(() => undefined);
  const [moved = ''] = await linesOf(aside);
  if (moved !== pid) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
}

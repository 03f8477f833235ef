import { readdir, readFile } from 'node:fs/promises';

/** Microseconds of processor time; NaN if the system does not report it. */
export type Cpu = () => Promise<number>;

/** Processor time of one process. */
export const cpuOf = async (pid: number): Promise<number> => (await statOf(pid))?.microseconds ?? Number.NaN;

/** The parent of a process. */
export const parentOf = async (pid: number): Promise<number | undefined> => (await statOf(pid))?.parent;

/** Total over the live children of a process; exited children no longer count. */
export async function cpuOfChildren(parent: number | undefined): Promise<number> {
  const all = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .map(statOf),
  );
  return all.reduce((sum, stat) => (stat?.parent === parent ? sum + (stat?.microseconds ?? 0) : sum), 0);
}

interface Stat {
  readonly parent: number;
  readonly microseconds: number;
}

/** Clock ticks are hundredths of a second on Linux (proc(5), `/proc/pid/stat`, fields 4, 14 and 15). */
async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (text === '') return undefined;
  return { parent: Number(fields[1]), microseconds: (Number(fields[11]) + Number(fields[12])) * 10_000 };
}

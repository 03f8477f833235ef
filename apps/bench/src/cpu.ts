import { readdir, readFile } from 'node:fs/promises';

/** Microseconds of processor time; NaN if the system does not report it. */
export type Cpu = () => Promise<number>;

/** Processor time of one process. */
export const cpuOf = async (pid: number): Promise<number> => (await statOf(pid))?.microseconds ?? Number.NaN;

/** The parent of a process. */
export const parentOf = async (pid: number): Promise<number | undefined> => (await statOf(pid))?.parent;

/** Total over all children of a process, including exited ones, whose time the system adds to the parent's. */
export async function cpuOfChildren(parent: number | undefined): Promise<number> {
  const all = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .map(statOf),
  );
  const ended = parent === undefined ? 0 : ((await statOf(parent))?.ofEndedChildren ?? 0);
  return all.reduce((sum, stat) => (stat?.parent === parent ? sum + (stat?.microseconds ?? 0) : sum), ended);
}

/** Clock ticks are hundredths of a second on Linux (proc(5), `/proc/pid/stat`, fields 4 and 14 to 17). */
async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (text === '') return undefined;
  const microseconds = (...places: readonly number[]) =>
    places.reduce((sum, place) => sum + Number(fields[place]) * 10_000, 0);
  return { parent: Number(fields[1]), microseconds: microseconds(11, 12), ofEndedChildren: microseconds(13, 14) };
}

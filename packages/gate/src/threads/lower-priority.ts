import { getPriority, platform, setPriority } from 'node:os';

/** About a tenth of the scheduling weight of the main thread, which takes precedence. */
const lower = 10;

/** Makes the calling thread yield to the others of its process, where a thread can have a priority of its own (Linux). */
export function lowerPriority(): void {
  if (platform() !== 'linux') return;
  try {
    setPriority(Math.min(19, getPriority() + lower));
  } catch {
    // If this is not permitted, the thread runs with normal priority.
  }
}

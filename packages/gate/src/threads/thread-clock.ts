import { readFileSync } from 'node:fs';

/** Starts with the CPU time of the calling thread in nanoseconds (Linux, proc(5)). */
const file = '/proc/thread-self/schedstat';
/** Milliseconds of wall-clock time between reads of the file. */
const between = 10;

/**
 * CPU time of the calling thread in milliseconds, with a resolution of a few milliseconds; wall-clock time where the
 * system does not report it. A low-priority thread waits for others, which must not count against its question.
 */
export function threadClock(): () => number {
  let worked = onProcessor();
  let readAt = performance.now();
  return () => {
    const now = performance.now();
    if (worked === undefined) return now;
    if (now - readAt > between) {
      worked = onProcessor() ?? worked;
      readAt = now;
    }
    return worked + now - readAt;
  };
}

function onProcessor(): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'latin1'), 10) / 1e6;
  } catch {
    return undefined;
  }
}

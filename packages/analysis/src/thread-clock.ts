import { readFileSync } from 'node:fs';

/** Nanoseconds that the calling thread has been on a processor come first (Linux, proc(5)). */
const file = '/proc/thread-self/schedstat';
/** Milliseconds on the wall for which it is not read again. */
const between = 10;

/**
 * Milliseconds that the calling thread has worked, to some milliseconds; where the system does not say it, those that have passed. A
 * thread with a low priority waits for others, and this must not count against the question that it answers.
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

import process from 'node:process';

/** Told how long a step of a request took, in milliseconds. */
export type OnWork = (milliseconds: number) => void;

/** Shorter steps are not reported: most are, and measuring noise would cost the innocent. */
const longStepMilliseconds = 5;

const report = (onWork: OnWork, milliseconds: number): void => {
  if (milliseconds >= longStepMilliseconds) onWork(milliseconds);
};

let isComputing = false;

/**
 * Reports how long this thread computes from here on without a pause: until what is due at once, including everything
 * that waited for it, is done. Time that the operating system gave to others does not count.
 */
export function timeComputing(onWork: OnWork): void {
  // The stretch is another step's already.
  if (isComputing) return;
  isComputing = true;
  const began = performance.now();
  const usedBefore = process.cpuUsage();
  // A tick that a microtask asks for comes after the last microtask.
  queueMicrotask(() =>
    process.nextTick(() => {
      isComputing = false;
      const milliseconds = performance.now() - began;
      if (milliseconds < longStepMilliseconds) return;
      const { user, system } = process.cpuUsage(usedBefore);
      report(onWork, Math.min(milliseconds, (user + system) / 1000));
    }),
  );
}

let waiting = 0;
let shared = 0;
let idleBefore = 0;

/**
 * A clock of which every step that waits gets an equal share. It runs only while this thread has nothing to compute, so
 * that nobody pays for the computing of others, and all steps together never take longer than the time that passed.
 */
function sharedTime(): number {
  const { idleTime } = performance.nodeTiming;
  shared += (idleTime - idleBefore) / Math.max(1, waiting);
  idleBefore = idleTime;
  return shared;
}

/**
 * Begins a step that waits for work elsewhere, such as a statement. The returned function ends it, and reports its share
 * of the time and the computing that follows.
 */
export function beginStep(onWork: OnWork): () => void {
  const began = sharedTime();
  waiting += 1;
  return () => {
    const share = sharedTime() - began;
    waiting -= 1;
    report(onWork, share);
    timeComputing(onWork);
  };
}

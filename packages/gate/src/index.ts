import { err, ok, type Result, ResultAsync } from 'neverthrow';

/** How many tasks run and wait; more than both together are refused at once. */
export interface GateLimits {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /** Tasks of one lane that wait at the same time; the next one is turned away at once. */
  readonly queueLimit: number;
  /** Seconds a task waits before it is turned away. */
  readonly waitSeconds: number;
}

/** Why a task was never started. */
export type TurnedAway = 'queue full' | 'waited too long';

/** Where a task waits: a place that becomes free goes to the slow lane only when nobody waits in the fast one. */
export type Lane = 'fast' | 'slow';

/** How busy a gate is at this moment. */
export interface GateFigures {
  readonly running: number;
  readonly waiting: number;
}

/** Lets a bounded number of tasks run, in each lane first come, first served. */
export interface Gate {
  /** A task that was let in keeps its place until it has ended, whether or not anybody still waits for it. */
  run<T>(task: () => Promise<T>, lane?: Lane): ResultAsync<T, TurnedAway>;
  figures(): GateFigures;
}

export function gate({ concurrency, queueLimit, waitSeconds }: GateLimits): Gate {
  let running = 0;
  const lanes = { fast: new Set<() => void>(), slow: new Set<() => void>() };

  const enter = async (waiting: Set<() => void>): Promise<Result<void, TurnedAway>> => {
    if (running < concurrency) {
      running += 1;
      return ok();
    }
    return waiting.size < queueLimit ? turn(waiting, waitSeconds) : err('queue full');
  };

  const leave = () => {
    const [next] = lanes.fast.size > 0 ? lanes.fast : lanes.slow;
    // The place passes on directly, so that nobody who comes later can take it in between.
    if (next === undefined) running -= 1;
    else next();
  };

  const runInside = async <T>(task: () => Promise<T>): Promise<T> => {
    try {
      return await task();
    } finally {
      leave();
    }
  };

  return {
    run: (task, lane = 'fast') =>
      new ResultAsync(enter(lanes[lane])).andThen(() => ResultAsync.fromSafePromise(runInside(task))),
    figures: () => ({ running, waiting: lanes.fast.size + lanes.slow.size }),
  };
}

/** Waits among others until it is let in. */
const turn = (waiting: Set<() => void>, waitSeconds: number) =>
  new Promise<Result<void, TurnedAway>>((resolve) => {
    const admit = () => {
      clearTimeout(timer);
      waiting.delete(admit);
      resolve(ok());
    };
    const timer = setTimeout(() => {
      waiting.delete(admit);
      resolve(err('waited too long'));
    }, waitSeconds * 1000);
    waiting.add(admit);
  });

import { err, ok, type Result, ResultAsync } from 'neverthrow';

/** How many tasks may run and wait; beyond that, tasks are rejected immediately. */
export interface GateLimits {
  /** Maximum number of concurrent tasks. */
  readonly concurrency: number;
  /** Maximum number of waiting tasks per lane. */
  readonly queueLimit: number;
  /** Maximum waiting time in seconds. */
  readonly waitSeconds: number;
}

/** Why a task was not started. */
export type GateRejection = 'queue full' | 'waited too long';

/** The priority of a waiting task: the slow lane advances only while the fast one is empty. */
export type Lane = 'fast' | 'slow';

/** The current load of a gate. */
export interface GateStats {
  readonly running: number;
  readonly waiting: number;
}

/** Limits concurrent tasks; first come, first served within each lane. */
export interface Gate {
  /** A running task keeps its place until it has ended, even if nobody awaits it any longer. */
  run<T>(task: () => Promise<T>, lane?: Lane): ResultAsync<T, GateRejection>;
  stats(): GateStats;
}

export function gate({ concurrency, queueLimit, waitSeconds }: GateLimits): Gate {
  let running = 0;
  const lanes = { fast: new Set<() => void>(), slow: new Set<() => void>() };

  const enter = async (waiting: Set<() => void>): Promise<Result<void, GateRejection>> => {
    if (running < concurrency) {
      running += 1;
      return ok();
    }
    return waiting.size < queueLimit ? turn(waiting, waitSeconds) : err('queue full');
  };

  const leave = () => {
    const [next] = lanes.fast.size > 0 ? lanes.fast : lanes.slow;
    // Hands the place over directly, so that no newcomer can take it in between.
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
    stats: () => ({ running, waiting: lanes.fast.size + lanes.slow.size }),
  };
}

/** Waits in line for a place. */
const turn = (waiting: Set<() => void>, waitSeconds: number) =>
  new Promise<Result<void, GateRejection>>((resolve) => {
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

import { err, ok, type Result, ResultAsync } from 'neverthrow';

export interface GateLimits {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /** Tasks that wait at the same time; the next one is turned away at once. */
  readonly queueLimit: number;
  /** Seconds a task waits before it is turned away. */
  readonly waitSeconds: number;
}

/** Why a task was never started. */
export type TurnedAway = 'queue full' | 'waited too long';

/** Lets a bounded number of tasks run, first come, first served. */
export interface Gate {
  /** A task that was let in keeps its place until it has ended, whether or not anybody still waits for it. */
  run<T>(task: () => Promise<T>): ResultAsync<T, TurnedAway>;
}

export function gate({ concurrency, queueLimit, waitSeconds }: GateLimits): Gate {
  let running = 0;
  const waiting = new Set<() => void>();

  const enter = async (): Promise<Result<void, TurnedAway>> => {
    if (running < concurrency) {
      running += 1;
      return ok();
    }
    return waiting.size < queueLimit ? turn() : err('queue full');
  };

  const turn = () =>
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

  const leave = () => {
    const [next] = waiting;
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

  return { run: (task) => new ResultAsync(enter()).andThen(() => ResultAsync.fromSafePromise(runInside(task))) };
}

/** A recurring background task. */
export interface Worker {
  start(): void;
  /** Starts no further round; resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** What a worker does. */
interface WorkerOptions {
  /** Resolves to whether more work may remain. */
  readonly round: () => Promise<boolean>;
  readonly pauseMilliseconds: number;
  readonly onFailure: (failure: unknown) => void;
}

/** Several workers for the same work, so that a slow round does not hold up the others. */
export function workers(count: number, options: WorkerOptions): Worker {
  const all = Array.from({ length: count }, () => worker(options));
  return {
    start: () => {
      for (const each of all) each.start();
    },
    stop: async () => {
      await Promise.all(all.map((each) => each.stop()));
    },
  };
}

/** Repeats `round`: at once while it finds work, otherwise (and after a failure) after a pause. */
export function worker({ round, pauseMilliseconds, onFailure }: WorkerOptions): Worker {
  let timer: NodeJS.Timeout | undefined;
  let stopped = true;
  let current: Promise<void> = Promise.resolve();

  const attempt = async (): Promise<boolean> => {
    try {
      return await round();
    } catch (failure) {
      onFailure(failure);
      return false;
    }
  };
  const repeat = async (): Promise<void> => {
    const more = await attempt();
    if (!stopped) timer = setTimeout(begin, more ? 0 : pauseMilliseconds);
  };
  const begin = () => {
    current = repeat();
  };
  return {
    start: () => {
      stopped = false;
      begin();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return current;
    },
  };
}

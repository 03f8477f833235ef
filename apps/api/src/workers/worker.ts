/** Something that is done again and again in the background. */
export interface Worker {
  start(): void;
  /** Begins no further round, and resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/**
 * Repeats `round`: at once while it finds something to do, after a pause otherwise, and after a failure too.
 * `round` resolves to whether there may be more to do.
 */
export function worker({
  round,
  pauseMilliseconds,
  onFailure,
}: {
  readonly round: () => Promise<boolean>;
  readonly pauseMilliseconds: number;
  readonly onFailure: (failure: unknown) => void;
}): Worker {
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

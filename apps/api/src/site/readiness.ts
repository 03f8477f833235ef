import { setTimeout as pause } from 'node:timers/promises';

/** Storage that rejects while it cannot be reached. */
interface Reachable {
  ping(): Promise<unknown>;
}

/** In milliseconds. */
interface WaitLimits {
  /** A readiness probe gets its answer within this time, even if storage takes longer. */
  readonly probe: number;
  /** For this long, storage that has answered a probe counts as slow and not as gone; more than the interval of probes. */
  readonly slow: number;
}

/** Whether requests should reach this process: not while it shuts down, nor without storage. */
export function readiness(storage: Reachable, isDraining: () => boolean): () => Promise<boolean> {
  const isReachable = reachability(storage);
  return async () => !isDraining() && (await isReachable());
}

/**
 * Whether storage can be reached. A refused connection shows at once that it cannot. A slow answer does not: an instance
 * that left rotation for it would leave its requests to others that are no faster.
 */
export function reachability(
  storage: Reachable,
  { probe, slow }: WaitLimits = { probe: 150, slow: 10_000 },
): () => Promise<boolean> {
  let answeredAt = Number.NEGATIVE_INFINITY;
  const answers = async (): Promise<boolean> => {
    await storage.ping();
    answeredAt = performance.now();
    return true;
  };
  return () =>
    Promise.race([answers().catch(() => false), pause(probe).then(() => performance.now() - answeredAt < slow)]);
}

import { availableParallelism } from 'node:os';
import { type HashingBusy, hashingBusy } from '@zonewright/core';
import { type GateFigures, type GateLimits, gate, type Lane } from '@zonewright/gate';
import type { ResultAsync } from 'neverthrow';

/** Where every slow hash of the process waits for its turn: whatever the algorithm, they share the same cores and threads. */
export interface HashingGate {
  /** Computes a hash, or fails with `HashingBusy` when too many are wanted at the same time. */
  run<T>(task: () => Promise<T>, lane?: Lane): ResultAsync<T, HashingBusy>;
  figures(): GateFigures;
}

/** A gate for slow hashes. Limits that are not given suit the machine. */
export function hashingGate(limits: Partial<GateLimits> = {}): HashingGate {
  const { concurrency = usualConcurrency(), queueLimit = 256, waitSeconds = 5 } = limits;
  const places = gate({ concurrency, queueLimit, waitSeconds });
  return {
    run: (task, lane) => places.run(task, lane).mapErr(() => hashingBusy(Math.max(1, Math.ceil(waitSeconds)))),
    figures: () => places.figures(),
  };
}

/** As many hashes as this process computes at once unless it is given other limits. */
export const usualConcurrency = (): number =>
  defaultConcurrency(availableParallelism(), process.env['UV_THREADPOOL_SIZE']);

/**
 * As many hashes at once as there are cores, while four threads of libuv's pool stay free for names and files.
 * `threadPoolSize` is UV_THREADPOOL_SIZE as it was when the first thread was made; without it the pool has four threads.
 */
export const defaultConcurrency = (cores: number, threadPoolSize: string | undefined): number =>
  Math.max(1, Math.min(cores, (Number.parseInt(threadPoolSize ?? '4', 10) || 1) - 4));

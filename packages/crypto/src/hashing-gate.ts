import { availableParallelism } from 'node:os';
import { type HashingBusy, hashingBusy } from '@zonewright/core';
import { type GateLimits, type GateStats, gate, type Lane } from '@zonewright/gate';
import type { ResultAsync } from 'neverthrow';

/**
 * A queue shared by all slow hashes of the process, whatever the algorithm, because they compete for the same cores and
 * threads.
 */
export interface HashingGate {
  /** Computes a hash, or fails with `HashingBusy` if too many are pending. */
  run<T>(task: () => Promise<T>, lane?: Lane): ResultAsync<T, HashingBusy>;
  stats(): GateStats;
}

/** Creates a gate for slow hashes. The default limits suit the machine. */
export function hashingGate(limits: Partial<GateLimits> = {}): HashingGate {
  const { concurrency = defaultConcurrency(), queueLimit = 256, waitSeconds = 5 } = limits;
  const places = gate({ concurrency, queueLimit, waitSeconds });
  return {
    run: (task, lane) => places.run(task, lane).mapErr(() => hashingBusy(Math.max(1, Math.ceil(waitSeconds)))),
    stats: () => places.stats(),
  };
}

/** The default number of concurrent hashes in this process. */
export const defaultConcurrency = (): number =>
  concurrencyFor(availableParallelism(), process.env['UV_THREADPOOL_SIZE']);

/**
 * One hash per core, but leaves four threads of libuv's pool for DNS and files. `threadPoolSize` is UV_THREADPOOL_SIZE
 * at the time the first thread was created; by default, the pool has four threads.
 */
export const concurrencyFor = (cores: number, threadPoolSize: string | undefined): number =>
  Math.max(1, Math.min(cores, (Number.parseInt(threadPoolSize ?? '4', 10) || 1) - 4));

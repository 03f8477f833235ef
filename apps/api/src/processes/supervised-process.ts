import type { Worker } from 'node:cluster';
import { StartupError } from '@zonewright/configuration';
import type { Logger } from 'pino';

/** Milliseconds before an exited process is replaced: doubles each time, until one has lived long enough. */
const pauses = { first: 100, longest: 30_000, stableAfter: 60_000 } as const;

/** What the surrounding cluster supplies. */
interface Cluster {
  readonly fork: () => Worker;
  readonly log: Logger;
  /** Called for each replacement. */
  readonly onReplace: () => void;
}

/** A worker process that is replaced when it exits. */
export class SupervisedProcess {
  readonly #cluster: Cluster;
  #current: Worker | undefined;
  #serving: Worker | undefined;
  #isSupervised = false;
  #failures = 0;
  #replacing: NodeJS.Timeout | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Resolves once it listens. Rejects with a `StartupError` if it exits first, having reported the reason itself. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = this.#begin();
      worker.once('listening', () => resolve());
      onceEnded(worker, ({ signal }) =>
        reject(new StartupError(signal === null ? [] : [`WORKERS: a process was killed by ${signal} during startup`])),
      );
    });
  }

  /** Starts it unless it is running, and from now on replaces it whenever it exits. */
  supervise(): void {
    this.#isSupervised = true;
    if (this.#current === undefined) this.#begin();
  }

  /** The worker that is listening, if any. */
  get serving(): Worker | undefined {
    return this.#serving;
  }

  /** Drains and stops it; resolves to whether it exited with code 0. */
  stop(): Promise<boolean> {
    this.#isSupervised = false;
    clearTimeout(this.#replacing);
    const worker = this.#current;
    if (worker === undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      onceEnded(worker, ({ exitCode }) => resolve(exitCode === 0));
      worker.process.kill('SIGTERM');
    });
  }

  #begin(): Worker {
    const startedAt = performance.now();
    const worker = this.#cluster.fork();
    this.#current = worker;
    worker.once('listening', () => {
      this.#serving = worker;
    });
    onceEnded(worker, (end) => {
      this.#current = undefined;
      this.#serving = undefined;
      if (this.#isSupervised) this.#replaceSoon(end, performance.now() - startedAt);
    });
    return worker;
  }

  #replaceSoon(end: End, lifetimeMs: number): void {
    const { log, onReplace } = this.#cluster;
    if (lifetimeMs > pauses.stableAfter) this.#failures = 0;
    const pauseMs = Math.min(pauses.longest, pauses.first * 2 ** this.#failures);
    this.#failures += 1;
    log.warn({ ...end, pauseMs }, 'serving process exited; it will be replaced');
    this.#replacing = setTimeout(() => {
      onReplace();
      this.#begin();
    }, pauseMs);
  }
}

interface End {
  readonly worker: number | undefined;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Also covers a process that could not be spawned. */
function onceEnded(worker: Worker, then: (end: End) => void): void {
  const { pid } = worker.process;
  worker.once('exit', (exitCode: number | null, signal: string | null) => then({ worker: pid, exitCode, signal }));
  worker.on('error', () => {
    if (pid === undefined) then({ worker: pid, exitCode: null, signal: null });
  });
}

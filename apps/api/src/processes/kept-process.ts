import type { Worker } from 'node:cluster';
import { StartMistake } from '@zonewright/configuration';
import type { Logger } from 'pino';

/** Milliseconds before an ended process is replaced: twice as long each time, as long as none of them has lived for a while. */
const pauses = { first: 100, longest: 30_000, forgottenAfter: 60_000 } as const;

/** What a kept process needs of its surroundings. */
interface Surroundings {
  readonly fork: () => Worker;
  readonly log: Logger;
  /** Called with each process that takes the place of another one. */
  readonly onReplace: () => void;
}

/** A process that serves, and those that replace it when it ends. */
export class KeptProcess {
  readonly #surroundings: Surroundings;
  #current: Worker | undefined;
  #serving: Worker | undefined;
  #isKept = false;
  #failures = 0;
  #replacing: NodeJS.Timeout | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Resolves once it serves. Rejects with a `StartMistake` when it ends before: it has said itself what is wrong. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = this.#begin();
      worker.once('listening', () => resolve());
      onceEnded(worker, ({ signal }) =>
        reject(new StartMistake(signal === null ? [] : [`WORKERS: a process ended by ${signal} before it served`])),
      );
    });
  }

  /** Starts it unless it runs, and replaces it from now on whenever it ends. */
  keep(): void {
    this.#isKept = true;
    if (this.#current === undefined) this.#begin();
  }

  /** The process that serves at the moment. */
  get serving(): Worker | undefined {
    return this.#serving;
  }

  /** Lets it finish what is under way; resolves to whether it ended well. */
  stop(): Promise<boolean> {
    this.#isKept = false;
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
    const worker = this.#surroundings.fork();
    this.#current = worker;
    worker.once('listening', () => {
      this.#serving = worker;
    });
    onceEnded(worker, (end) => {
      this.#current = undefined;
      this.#serving = undefined;
      if (this.#isKept) this.#replaceSoon(end, performance.now() - startedAt);
    });
    return worker;
  }

  #replaceSoon(end: End, lived: number): void {
    const { log, onReplace } = this.#surroundings;
    if (lived > pauses.forgottenAfter) this.#failures = 0;
    const pauseMs = Math.min(pauses.longest, pauses.first * 2 ** this.#failures);
    this.#failures += 1;
    log.warn({ ...end, pauseMs }, 'a serving process ended and will be replaced');
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

/** A process that cannot be made, because the system has no room for it, ends as well. */
function onceEnded(worker: Worker, then: (end: End) => void): void {
  const { pid } = worker.process;
  worker.once('exit', (exitCode: number | null, signal: string | null) => then({ worker: pid, exitCode, signal }));
  worker.on('error', () => {
    if (pid === undefined) then({ worker: pid, exitCode: null, signal: null });
  });
}

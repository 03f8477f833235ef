import { StartupError } from '@zonewright/configuration';
import type { Logger } from 'pino';
import type { Child, End } from './child.ts';

/** Milliseconds before an exited process is replaced: doubles each time, until one has lived long enough. */
const pauses = { first: 100, longest: 30_000, stableAfter: 60_000 } as const;

/** What the surroundings supply. */
interface Surroundings<C extends Child> {
  readonly fork: () => C;
  /** The variable that asks for the process, and what it is called in the log. */
  readonly variable: string;
  readonly name: string;
  readonly log: Logger;
  /** Called before each replacement, which waits for it. */
  readonly onReplace: () => Promise<void> | void;
}

/** A child process that is replaced when it exits. */
export class SupervisedProcess<C extends Child> {
  readonly #surroundings: Surroundings<C>;
  #current: C | undefined;
  #serving: C | undefined;
  #isSupervised = false;
  #failures = 0;
  #replacing: NodeJS.Timeout | undefined;

  constructor(surroundings: Surroundings<C>) {
    this.#surroundings = surroundings;
  }

  /** Resolves once it listens. Rejects with a `StartupError` if it exits first, having reported the reason itself. */
  start(): Promise<void> {
    const { variable } = this.#surroundings;
    return new Promise((resolve, reject) => {
      const child = this.#begin();
      child.onceListening(() => resolve());
      child.onceEnded(({ signal }) =>
        reject(
          new StartupError(signal === null ? [] : [`${variable}: a process was killed by ${signal} during startup`]),
        ),
      );
    });
  }

  /** Starts it unless it is running, and from now on replaces it whenever it exits. */
  supervise(): void {
    this.#isSupervised = true;
    if (this.#current === undefined) this.#begin();
  }

  /** The process that is listening, if any. */
  get serving(): C | undefined {
    return this.#serving;
  }

  /** Drains and stops it; resolves to whether it exited with code 0. */
  stop(): Promise<boolean> {
    this.#isSupervised = false;
    clearTimeout(this.#replacing);
    const child = this.#current;
    if (child === undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      child.onceEnded(({ exitCode }) => resolve(exitCode === 0));
      child.end();
    });
  }

  #begin(): C {
    const startedAt = performance.now();
    const child = this.#surroundings.fork();
    this.#current = child;
    child.onceListening(() => {
      this.#serving = child;
    });
    child.onceEnded((end) => {
      this.#current = undefined;
      this.#serving = undefined;
      if (this.#isSupervised) this.#replaceSoon(end, performance.now() - startedAt);
    });
    return child;
  }

  #replaceSoon(end: End, lifetimeMs: number): void {
    const { name, log } = this.#surroundings;
    if (lifetimeMs > pauses.stableAfter) this.#failures = 0;
    const pauseMs = Math.min(pauses.longest, pauses.first * 2 ** this.#failures);
    this.#failures += 1;
    log.warn({ ...end, pauseMs }, `${name} exited; it will be replaced`);
    this.#replacing = setTimeout(() => void this.#replace(), pauseMs);
  }

  async #replace(): Promise<void> {
    await this.#surroundings.onReplace();
    if (this.#isSupervised) this.#begin();
  }
}

import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { GateRejection, GateStats } from './gate.ts';

/** How many tasks may run, and how many of one owner may wait. */
export interface FairGateLimits {
  /** Maximum number of concurrent tasks. One owner's never take the last place, if there are several. */
  readonly concurrency: number;
  /** Maximum number of waiting tasks per owner. */
  readonly queueLimit: number;
  /** Maximum seconds that a task waits for those of other owners. */
  readonly waitSeconds: number;
  /** Maximum seconds that a task waits behind earlier ones of its owner. */
  readonly ownWaitSeconds: number;
}

/**
 * Limits concurrent tasks and divides the places fairly between owners. Each has a queue of its own, and they take turns:
 * an owner with a task running waits until all other waiting owners have one.
 */
export interface FairGate {
  /** A running task keeps its place until it has ended, even if nobody awaits it any longer. */
  run<T>(owner: string, task: () => Promise<T>): ResultAsync<T, GateRejection>;
  stats(): GateStats;
}

/** The tasks of an owner. */
interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

export function fairGate(limits: FairGateLimits): FairGate {
  const places = new FairPlaces(limits);
  return {
    run: (owner, task) =>
      new ResultAsync(places.enter(owner)).andThen(() =>
        ResultAsync.fromSafePromise(
          (async () => {
            try {
              return await task();
            } finally {
              places.leave(owner);
            }
          })(),
        ),
      ),
    stats: () => places.stats(),
  };
}

/** The places of a fair gate. */
class FairPlaces {
  readonly #limits: FairGateLimits;
  /** A place stays free for the next owner, so that nobody has to wait for the end of another's long task. */
  readonly #perOwner: number;
  /** In the order of turns; a user who gets or leaves a place moves to the end. */
  readonly #lines = new Map<string, Line>();
  #running = 0;

  constructor(limits: FairGateLimits) {
    this.#limits = limits;
    this.#perOwner = Math.max(1, limits.concurrency - 1);
  }

  stats(): GateStats {
    const waiting = [...this.#lines.values()].reduce((sum, line) => sum + line.waiting.size, 0);
    return { running: this.#running, waiting };
  }

  enter(owner: string): Promise<Result<void, GateRejection>> {
    const line = this.#lines.get(owner) ?? { running: 0, waiting: new Set() };
    if (line.waiting.size >= this.#limits.queueLimit) return Promise.resolve(err('queue full'));
    const isFirst = line.running + line.waiting.size === 0;
    this.#lines.set(owner, line);
    const entered = this.#turn(owner, line, isFirst ? this.#limits.waitSeconds : this.#limits.ownWaitSeconds);
    this.#advance();
    return entered;
  }

  leave(owner: string): void {
    this.#running -= 1;
    const line = this.#lines.get(owner);
    if (line !== undefined) {
      line.running -= 1;
      this.#toEnd(owner, line);
    }
    this.#forgetIfEmpty(owner);
    this.#advance();
  }

  #toEnd(owner: string, line: Line): void {
    this.#lines.delete(owner);
    this.#lines.set(owner, line);
  }

  #turn(owner: string, { waiting }: Line, seconds: number): Promise<Result<void, GateRejection>> {
    return new Promise((resolve) => {
      const admit = () => {
        clearTimeout(timer);
        waiting.delete(admit);
        resolve(ok());
      };
      const timer = setTimeout(() => {
        waiting.delete(admit);
        this.#forgetIfEmpty(owner);
        resolve(err('waited too long'));
      }, seconds * 1000);
      waiting.add(admit);
    });
  }

  #advance(): void {
    while (this.#running < this.#limits.concurrency) {
      const next = this.#nextBelow(1) ?? this.#nextBelow(this.#perOwner);
      if (next === undefined) return;
      const [owner, line, admit] = next;
      this.#toEnd(owner, line);
      line.running += 1;
      this.#running += 1;
      admit();
    }
  }

  /** The first waiting task of an owner with fewer running ones than this. */
  #nextBelow(running: number): readonly [string, Line, () => void] | undefined {
    for (const [owner, line] of this.#lines) {
      const [admit] = line.waiting;
      if (admit !== undefined && line.running < running) return [owner, line, admit];
    }
    return undefined;
  }

  #forgetIfEmpty(owner: string): void {
    const line = this.#lines.get(owner);
    if (line !== undefined && line.running + line.waiting.size === 0) this.#lines.delete(owner);
  }
}

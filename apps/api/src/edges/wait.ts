import type { Waiting, WaitReason } from '@zonewright/core';
import { ResultAsync } from 'neverthrow';

/** Reports reach one process only, so those who wait for them look again after this time. */
const reportMilliseconds = 500;

/** The wait of one request. */
export class Wait implements Waiting {
  readonly reason: WaitReason;
  readonly #onEnd: () => void;
  readonly #timer: NodeJS.Timeout;
  #isAwake = false;
  #isOver = false;
  #wokenAt = performance.now();
  #resume: (() => void) | undefined;

  constructor(seconds: number, reason: WaitReason, onEnd: () => void) {
    this.reason = reason;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(() => this.end(), seconds * 1000);
  }

  next(): ResultAsync<boolean, never> {
    return ResultAsync.fromSafePromise(this.#next());
  }

  /** Something has happened. */
  wake(): void {
    this.#isAwake = true;
    this.#wokenAt = performance.now();
    this.#resume?.();
  }

  /** Time is over. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#onEnd();
    this.#resume?.();
  }

  /** Whether it may have missed reports to other processes. */
  isStale(): boolean {
    return this.reason === 'reports' && performance.now() - this.#wokenAt >= reportMilliseconds;
  }

  async #next(): Promise<boolean> {
    if (!this.#isAwake && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    this.#resume = undefined;
    const isAwake = this.#isAwake && !this.#isOver;
    this.#isAwake = false;
    return isAwake;
  }
}

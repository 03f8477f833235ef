import { NewestEntries } from '@zonewright/gate';

const firstPauseMilliseconds = 10_000;
const maxPauseMilliseconds = 300_000;
/** Servers without a failure need no entry; those of removed zones are forgotten when there are too many. */
const maxEntries = 10_000;

/**
 * Which servers are left out because they refuse connections: for 10 seconds, doubled with each further refusal up to
 * 5 minutes. A connection that succeeds ends it.
 */
export class ServerHealth {
  readonly #now: () => number;
  readonly #failing = new NewestEntries<{ readonly until: number; readonly pause: number }>(maxEntries);

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  isLeftOut(server: string): boolean {
    const failing = this.#failing.get(server);
    return failing !== undefined && failing.until > this.#now();
  }

  /** A server that is left out already was only tried because all are: that does not make its pause longer. */
  refused(server: string): void {
    const before = this.#failing.get(server);
    const now = this.#now();
    if (before !== undefined && before.until > now) return;
    const pause = before === undefined ? firstPauseMilliseconds : Math.min(2 * before.pause, maxPauseMilliseconds);
    this.#failing.set(server, { until: now + pause, pause });
  }

  connected(server: string): void {
    if (this.#failing.size > 0) this.#failing.delete(server);
  }
}

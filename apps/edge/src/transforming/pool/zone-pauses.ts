import { NewestEntries } from '@zonewright/gate';

interface Pause {
  readonly until: number;
  readonly milliseconds: number;
}

const firstMilliseconds = 10_000;
const longestMilliseconds = 5 * 60 * 1000;
const maxZones = 10_000;

/**
 * Zones whose bodies have cost a process its life: for a while, all of theirs pass as they came. Each time within twice
 * the last pause, it is twice as long.
 */
export class ZonePauses {
  readonly #pauses = new NewestEntries<Pause>(maxZones);
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  isPaused(zone: string): boolean {
    return (this.#pauses.get(zone)?.until ?? 0) > this.#now();
  }

  pause(zone: string): void {
    const now = this.#now();
    const before = this.#pauses.get(zone);
    const isAgain = before !== undefined && now < before.until + before.milliseconds;
    const milliseconds = isAgain ? Math.min(2 * before.milliseconds, longestMilliseconds) : firstMilliseconds;
    this.#pauses.set(zone, { until: now + milliseconds, milliseconds });
  }
}

/** Losses up to this number or share of zones are never suspicious. */
const suspicious = { zones: 10, share: 0.2 } as const;

/** Whether so large a loss must be announced by the service. */
export const isSuspiciousLoss = (removed: number, of: number): boolean =>
  removed > suspicious.zones && removed > of * suspicious.share;

/**
 * A whole state that is being read, over several answers. What it does not name is to be removed, but only at its end: so
 * there is no moment at which zones are missing.
 */
export class WholeState {
  readonly #named = new Set<string>();
  /** How many zones there were before. */
  readonly before: number;
  /** Whether one of its answers said that many zones are meant to go. */
  isShrinkMeant = false;

  constructor(before: number) {
    this.before = before;
  }

  /** Zones that an answer names. */
  name(ids: readonly string[]): void {
    for (const id of ids) this.#named.add(id);
  }

  /** Those that no answer has named. */
  unnamed(ids: Iterable<string>): readonly string[] {
    return [...ids].filter((id) => !this.#named.has(id));
  }
}

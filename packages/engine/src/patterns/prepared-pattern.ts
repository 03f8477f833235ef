import type { MatcherMemory } from './matcher-memory.ts';
import type { ParsedPattern } from './pattern.ts';

/** Approximate memory per state, in bytes, and the work of creating one. */
const bytesForState = 100;
const workForState = 20;

/**
 * A pattern that is compiled on first use, because most requests reach only a few, and cached if there is memory. Using
 * it counts as work.
 */
export class PreparedPattern<Made extends object> {
  readonly #states: number;
  readonly #memory: MatcherMemory;
  readonly #make: () => Made;
  #kept: Made | undefined;

  constructor({ states }: Pick<ParsedPattern, 'states'>, memory: MatcherMemory, make: () => Made) {
    this.#states = states;
    this.#memory = memory;
    this.#make = make;
  }

  /** The compiled pattern, for a subject of so many bytes. */
  for(bytes: number): Made {
    this.#memory.spend(bytes * Math.ceil(this.#states / 32));
    if (this.#kept !== undefined) return this.#kept;
    this.#memory.spend(workForState * this.#states);
    const made = this.#make();
    if (this.#memory.take(bytesForState * this.#states)) this.#kept = made;
    return made;
  }
}

import { GroupFinder } from './capture-groups.ts';
import { Matcher } from './matcher.ts';
import type { MatcherBudget } from './matcher-budget.ts';
import { type NfaPurpose, nfaOf } from './nfa.ts';
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
  readonly #budget: MatcherBudget;
  readonly #make: () => Made;
  #kept: Made | undefined;

  constructor({ states }: Pick<ParsedPattern, 'states'>, budget: MatcherBudget, make: () => Made) {
    this.#states = states;
    this.#budget = budget;
    this.#make = make;
  }

  /** The compiled pattern, for a subject of that many bytes; undefined if matching it takes too much work. */
  for(bytes: number): Made | undefined {
    if (!this.#budget.spend(bytes * Math.ceil(this.#states / 32))) return undefined;
    if (this.#kept !== undefined) return this.#kept;
    if (!this.#budget.spend(workForState * this.#states)) return undefined;
    const matcher = this.#make();
    if (this.#budget.take(bytesForState * this.#states)) this.#kept = matcher;
    return matcher;
  }
}

/** Compiles a pattern for matching. All patterns of a configuration share the memory. */
export const compilePattern = (
  { tree }: Pick<ParsedPattern, 'tree'>,
  { ignoreCase }: Pick<NfaPurpose, 'ignoreCase'>,
  budget: MatcherBudget,
): Matcher => new Matcher(nfaOf(tree, { ignoreCase, groups: 0 }), budget);

/** Compiles a pattern for finding its groups up to a number. */
export const compileGroups = ({ tree }: Pick<ParsedPattern, 'tree'>, purpose: NfaPurpose): GroupFinder =>
  new GroupFinder(nfaOf(tree, purpose));

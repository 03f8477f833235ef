import type { Work } from '../work.ts';
import { GroupFinder } from './capture-groups.ts';
import { Matcher } from './matcher.ts';
import { type NfaPurpose, nfaOf } from './nfa.ts';
import { type ParsedPattern, parsePattern } from './pattern.ts';
import type { PatternResources } from './pattern-memory.ts';

/** The work of parsing a character, and of looking for the text that a pattern needs. */
const workForCharacter = 80;

/** Parses a pattern that was found valid before, and charges the work. */
export function readPattern(source: string, work: Work): ParsedPattern {
  work.spend(workForCharacter * source.length);
  const parsed = parsePattern(source);
  return parsed.ok ? parsed.value : work.refuse('A pattern cannot be read.');
}

/** Approximate memory per state, in bytes, and the work of creating one. */
const bytesForState = 100;
const workForState = 50;
/** The work of creating what does not depend on states. */
const workForPattern = 500;

/**
 * A pattern that is compiled on first use, because most requests reach only a few, and cached if there is memory.
 * Compiling counts as work.
 */
export class PreparedPattern<Made extends object> {
  readonly #states: number;
  readonly #resources: PatternResources;
  readonly #make: () => Made;
  #kept: Made | undefined;

  constructor({ states }: Pick<ParsedPattern, 'states'>, resources: PatternResources, make: () => Made) {
    this.#states = states;
    this.#resources = resources;
    this.#make = make;
  }

  /** The compiled pattern. */
  get(): Made {
    if (this.#kept !== undefined) return this.#kept;
    const { work, memory } = this.#resources;
    work.spend(workForPattern + workForState * this.#states);
    const matcher = this.#make();
    if (memory.take(bytesForState * this.#states)) this.#kept = matcher;
    return matcher;
  }
}

/** Compiles a pattern for matching. All patterns of a configuration share their resources. */
export const compilePattern = (
  { tree }: Pick<ParsedPattern, 'tree'>,
  { ignoreCase }: Pick<NfaPurpose, 'ignoreCase'>,
  resources: PatternResources,
): Matcher => new Matcher(nfaOf(tree, { ignoreCase, groups: 0 }), resources);

/** Compiles a pattern for finding its groups up to a number. */
export const compileGroups = (
  { tree }: Pick<ParsedPattern, 'tree'>,
  purpose: NfaPurpose,
  { work }: Pick<PatternResources, 'work'>,
): GroupFinder => new GroupFinder(nfaOf(tree, purpose), work);

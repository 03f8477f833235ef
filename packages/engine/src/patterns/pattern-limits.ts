import { type PatternProblem, patternProblem } from './pattern-problems.ts';

/**
 * Limits of a pattern. `length` is in characters. `captureGroups` counts capturing groups, `depth` both kinds.
 * `repetitions` limits the bounds of counted repetitions and the product of nested ones; RE2 rejects more. States: one
 * per character, class or assertion, one more per choice (`|`, `*`, `+`, `?` and each optional copy of a counted
 * repetition), and two per capturing group.
 */
export const patternLimits = { length: 1024, captureGroups: 20, depth: 20, repetitions: 1000, states: 5000 } as const;

/** The pattern is too long; the position is that of the first excess character. */
export const tooLong = (): PatternProblem =>
  patternProblem('tooLong', patternLimits.length, `A pattern has at most ${patternLimits.length} characters.`);

/** The group at the position is nested too deeply. */
export const tooDeep = (at: number): PatternProblem =>
  patternProblem('group.depth', at, `The group at position ${at} is nested deeper than ${patternLimits.depth} levels.`);

/** The group at the position exceeds the number of capturing groups. */
export const tooManyGroups = (at: number): PatternProblem =>
  patternProblem(
    'group.tooMany',
    at,
    `The group at position ${at} is one more than the ${patternLimits.captureGroups} allowed; "(?:" does not count.`,
  );

/** A bound of the repetition at the position exceeds the limit. */
export const tooManyTimes = (text: string, at: number): PatternProblem =>
  patternProblem(
    'quantifier.bound',
    at,
    `The repetition "${text}" at position ${at} has a bound above ${patternLimits.repetitions}.`,
  );

/** The product of nested repetitions exceeds the limit. */
export const tooManyRepetitions = (measured: number): PatternProblem =>
  patternProblem(
    'quantifier.nested',
    0,
    `Nested repetitions multiply to ${measured}; at most ${patternLimits.repetitions} are allowed.`,
  );

/** The automaton is too large. */
export const tooManyStates = (measured: number): PatternProblem =>
  patternProblem(
    'states',
    0,
    `The pattern expands to ${measured} states; at most ${patternLimits.states} are allowed.`,
  );

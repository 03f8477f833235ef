import { type PatternProblem, patternProblem } from './pattern-problems.ts';

/**
 * Limits of a pattern. `length` is in characters. Capturing groups are counted against `captureGroups`, groups of both
 * kinds against `depth`. `repetitions` is the largest bound of a counted repetition and the largest product of nested
 * ones; RE2 refuses more. A state is a character, a class or an assertion, one more for every choice (`|`, `*`, `+`, `?`
 * and each optional copy of a counted repetition), and two for a capturing group.
 */
export const patternLimits = { length: 1024, captureGroups: 20, depth: 20, repetitions: 1000, states: 5000 } as const;

/** The pattern is longer than the limit; the position is that of the first character too many. */
export const tooLong = (): PatternProblem =>
  patternProblem('tooLong', patternLimits.length, `A pattern has at most ${patternLimits.length} characters.`);

/** The group at the position is nested too deeply. */
export const tooDeep = (at: number): PatternProblem =>
  patternProblem('group.depth', at, `The group at position ${at} is nested deeper than ${patternLimits.depth} levels.`);

/** The group at the position is one capturing group too many. */
export const tooManyGroups = (at: number): PatternProblem =>
  patternProblem(
    'group.tooMany',
    at,
    `The group at position ${at} is one more than the ${patternLimits.captureGroups} allowed; "(?:" does not count.`,
  );

/** The repetition `text` at the position has a bound above the limit. */
export const tooManyTimes = (text: string, at: number): PatternProblem =>
  patternProblem(
    'quantifier.bound',
    at,
    `The repetition "${text}" at position ${at} has a bound above ${patternLimits.repetitions}.`,
  );

/** Nested repetitions copy something more often than allowed. */
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

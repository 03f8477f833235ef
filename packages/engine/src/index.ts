/** The public surface of the engine: nothing else can be imported from outside. */

export {
  formatIpAddress,
  formatIpRange,
  type IpAddress,
  type IpRange,
  isInRange,
  type MalformedIp,
  malformedIp,
  parseIpAddress,
  parseIpRange,
} from './addresses/ip-address.ts';
export { type Failure, failure, type Outcome, type Success, success } from './outcome.ts';
export { type ParsedPattern, parsePattern } from './patterns/pattern.ts';
export { patternLimits } from './patterns/pattern-limits.ts';
export type { PatternProblem, PatternProblemCode } from './patterns/pattern-problems.ts';
export { groupsInRepetitions, repeatsEmptyText } from './patterns/pattern-repetitions.ts';
export { normalizePath, normalizeQuery } from './request/request-target.ts';

/** Operators that are no negation. */
export type BaseOperator =
  | 'equals'
  | 'contains'
  | 'starts_with'
  | 'ends_with'
  | 'matches'
  | 'matches_ci'
  | 'in'
  | 'exists';

/** An operator under its canonical name; `not_` is the exact negation of the operator behind it. */
export type ConditionOperator = BaseOperator | `not_${BaseOperator}`;

/** Every spelling a client may use, with the operator it means. */
const operators = {
  equals: 'equals',
  eq: 'equals',
  is: 'equals',
  contains: 'contains',
  starts_with: 'starts_with',
  startsWith: 'starts_with',
  prefix: 'starts_with',
  ends_with: 'ends_with',
  endsWith: 'ends_with',
  suffix: 'ends_with',
  matches: 'matches',
  regex: 'matches',
  matches_ci: 'matches_ci',
  matchesCi: 'matches_ci',
  iregex: 'matches_ci',
  in: 'in',
  exists: 'exists',
  not_equals: 'not_equals',
  notEquals: 'not_equals',
  not_contains: 'not_contains',
  notContains: 'not_contains',
  not_starts_with: 'not_starts_with',
  notStartsWith: 'not_starts_with',
  not_ends_with: 'not_ends_with',
  notEndsWith: 'not_ends_with',
  not_matches: 'not_matches',
  notMatches: 'not_matches',
  not_matches_ci: 'not_matches_ci',
  notMatchesCi: 'not_matches_ci',
  not_in: 'not_in',
  notIn: 'not_in',
  not_exists: 'not_exists',
  notExists: 'not_exists',
} as const satisfies Record<string, ConditionOperator>;

/** An operator as a client may write it; upper and lower case matter. */
export type OperatorSpelling = keyof typeof operators;

/** All spellings of all operators. */
export const operatorSpellings: readonly string[] = Object.keys(operators);

/** The operators under their canonical names. */
export const operatorNames: readonly string[] = [...new Set(Object.values(operators))];

/** Whether a client may write an operator like this. */
export const isOperatorSpelling = (spelling: string): spelling is OperatorSpelling =>
  Object.hasOwn(operators, spelling);

/** The operator a spelling means. */
export const operatorOf = (spelling: OperatorSpelling): ConditionOperator => operators[spelling];

/** Whether the operator is the negation of another one. */
export const isNegated = (operator: ConditionOperator): operator is `not_${BaseOperator}` =>
  operator.startsWith('not_');

/** The operator without its negation: what it compares and which values it takes do not depend on that. */
export const baseOf = (operator: ConditionOperator): BaseOperator =>
  // Every negated operator is a base operator after `not_`.
  isNegated(operator) ? (operator.slice('not_'.length) as BaseOperator) : operator;

/** `base`, negated when `like` is. */
export const negatedLike = (like: ConditionOperator, base: BaseOperator): ConditionOperator =>
  isNegated(like) ? `not_${base}` : base;

/** `exists` asks for presence only; every other operator compares with a value. */
export const takesValue = (operator: ConditionOperator): boolean => baseOf(operator) !== 'exists';

/** Whether the value is a list, so that line feeds in it separate entries. */
export const takesList = (operator: ConditionOperator): boolean => baseOf(operator) === 'in';

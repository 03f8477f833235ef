/** All accepted spellings, with the operator they mean. */
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
} as const;

/** An operator by canonical name; `not_` negates the operator after it. */
export type ConditionOperator = (typeof operators)[keyof typeof operators];

/** Operators without negation. */
export type BaseOperator = Exclude<ConditionOperator, `not_${string}`>;

/** An operator as clients may write it; case-sensitive. */
export type OperatorSpelling = keyof typeof operators;

/** All spellings of all operators. */
export const operatorSpellings: readonly string[] = Object.keys(operators);

/** The canonical names of all operators. */
export const operatorNames: readonly string[] = [...new Set(Object.values(operators))];

/** Whether a client may write an operator like this. */
export const isOperatorSpelling = (spelling: string): spelling is OperatorSpelling =>
  Object.hasOwn(operators, spelling);

/** The operator that a spelling means. */
export const operatorOf = (spelling: OperatorSpelling): ConditionOperator => operators[spelling];

/** Whether the operator is a negation. */
export const isNegated = (operator: ConditionOperator): operator is `not_${BaseOperator}` =>
  operator.startsWith('not_');

/** The operator without its negation, which affects neither the comparison nor the accepted values. */
export const baseOf = (operator: ConditionOperator): BaseOperator =>
  // A negated operator is `not_` plus a base operator.
  isNegated(operator) ? (operator.slice('not_'.length) as BaseOperator) : operator;

/** `base`, negated if `like` is. */
export const negatedLike = (like: ConditionOperator, base: BaseOperator): ConditionOperator =>
  isNegated(like) ? `not_${base}` : base;

/** Whether the operator compares with a value; `exists` tests presence only. */
export const takesValue = (operator: ConditionOperator): boolean => baseOf(operator) !== 'exists';

/** Whether the value is a list, in which line feeds separate entries. */
export const takesList = (operator: ConditionOperator): boolean => baseOf(operator) === 'in';

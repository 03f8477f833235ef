/** The two types of problem documents: `ConstraintViolation` lists invalid values. */
export const problemTypes = ['Error', 'ConstraintViolation'] as const;
export type ProblemType = (typeof problemTypes)[number];

import { contextIri } from '../resources/json-writer.ts';

/** The two types of problem documents: `ConstraintViolation` lists invalid values. */
export const problemTypes = ['Error', 'ConstraintViolation'] as const;
export type ProblemType = (typeof problemTypes)[number];

/** A problem document as JSON-LD; `description` is Hydra's name for `detail`. */
export function linkedProblem<P extends { readonly type: string; readonly detail: string }>(problem: P) {
  const type: ProblemType = 'violations' in problem ? 'ConstraintViolation' : 'Error';
  return {
    '@context': contextIri(type),
    '@id': problem.type,
    '@type': type,
    ...problem,
    description: problem.detail,
  };
}

import type { ProblemType } from '../description/linked-data/problem-vocabulary.ts';
import { contextIri } from '../resources/json-writer.ts';

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

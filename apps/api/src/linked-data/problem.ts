import { contextIri } from '../http/json-writer.ts';
import type { ProblemType } from './problem-vocabulary.ts';

/** A problem document as linked data; `description` is the name of Hydra for `detail`. */
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

import { contextIri, type ProblemType } from '@zonewright/api-description';

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

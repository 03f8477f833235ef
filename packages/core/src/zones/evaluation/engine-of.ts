import {
  compileStored,
  type Engine,
  type Evaluation,
  maxEvaluationWork,
  type Names,
  type RequestFacts,
} from '@zonewright/engine';
import { err, ok, type Result } from 'neverthrow';
import type { Sha256 } from '../../kernel/shared/sha256.ts';
import { type InvalidInput, invalidInput, violation } from '../../kernel/shared/violation.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import { type EvaluationBudget, type EvaluationTooLong, evaluationTooLong } from './evaluation-budget.ts';

/** Compiles a zone document, which was validated when it was written, for evaluating requests. */
export function engineOf(document: ZoneDocument, names: Names, sha256: Sha256): Engine {
  const engine = compileStored(document, { names, sha256, isValidated: true });
  if (!engine.ok) throw new Error(`A stored configuration is unreadable: ${JSON.stringify(engine.error)}`);
  return engine.value;
}

/** The engine's result; a request that takes too long is rejected. */
export function evaluated(engine: Engine, facts: RequestFacts): Result<Evaluation, InvalidInput> {
  const { evaluation } = engine.evaluateWithin(maxEvaluationWork, facts);
  return evaluation === undefined ? err(invalidInput([tooMuchWork])) : ok(evaluation);
}

/** The same within a budget, if there is one; whether the request would be rejected is then still open. */
export function evaluatedWithin(
  budget: EvaluationBudget | undefined,
  engine: Engine,
  facts: RequestFacts,
): Result<Evaluation, InvalidInput | EvaluationTooLong> {
  if (budget === undefined) return evaluated(engine, facts);
  const { evaluation } = engine.evaluateWithin(budget.work, facts);
  return evaluation === undefined ? err(evaluationTooLong(1)) : ok(evaluation);
}

const tooMuchWork = violation(
  '',
  'evaluation.work',
  'Comparing this request with the rules of the zone takes too long. Shorten the request, or patterns with counted repetitions.',
);

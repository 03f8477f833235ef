import { workPerMillisecond } from '@zonewright/engine';
import { err, ok, type Result } from 'neverthrow';
import { charactersIn } from '../rule-kinds/rule-lists.ts';
import type { ZoneState } from '../zones/zone-state.ts';

/** The evaluation needs more than the budget of this thread; a thread with a larger one can answer it. */
export const evaluationTooLong = (retryAfterSeconds: number) =>
  ({ type: 'EvaluationTooLong', retryAfterSeconds }) as const;
export type EvaluationTooLong = ReturnType<typeof evaluationTooLong>;

/** What an evaluation may take on a thread that has other things to do. */
export interface EvaluationBudget {
  /** Of the engine. */
  readonly work: number;
  /** Characters of rules that are compiled: the longest take 0.4 µs each. */
  readonly characters: number;
}

/** A few milliseconds each for evaluating and compiling; typical requests need a tenth of that. */
export const shortEvaluation: EvaluationBudget = { work: 4 * workPerMillisecond, characters: 25_000 };

/** Only the current configuration can be evaluated in a short time: others must be replayed or merged. */
export const requireShort = (
  budget: EvaluationBudget | undefined,
  { revision, patch }: { readonly revision: number | undefined; readonly patch: object | undefined },
  { zone, rules }: ZoneState,
): Result<void, EvaluationTooLong> => {
  if (budget === undefined) return ok();
  const isCurrent = patch === undefined && (revision === undefined || revision === zone.revision);
  return isCurrent && charactersIn(rules) <= budget.characters ? ok() : err(evaluationTooLong(1));
};

import { CompiledConditions, type ConditionSpace } from '../conditions/compiled-conditions.ts';
import type { RequestSubjects } from '../conditions/request-subjects.ts';
import { or, type Tri } from '../conditions/tri.ts';
import { type AccessAction, type AccessRule, type SkipTarget, skipTargets } from '../configuration/configuration.ts';
import type { Names } from './names.ts';
import { applies, type ListedRule, listed, outcomeOf, type Step, skippedOutcome } from './steps.ts';

/** A step of the phase. */
export interface AccessStep extends Step {
  readonly action: AccessAction;
}

/** The phase in an evaluation. */
export interface AccessPhase {
  readonly phase: 'accessRules';
  readonly ends: Tri;
  readonly steps: readonly AccessStep[];
  /** The checks that are, or may be, skipped. */
  readonly skips: readonly { readonly target: SkipTarget; readonly result: 'true' | 'unknown' }[];
}

interface Progress {
  ended: Tri;
  ends: Tri;
  readonly dispositions: ('block' | 'challenge')[];
  readonly skips: Map<SkipTarget, 'true' | 'unknown'>;
}

/** The access rules of a configuration. They see the request as the client sent it, regardless of settings. */
export class AccessRules {
  readonly #rules: readonly ListedRule<AccessRule, CompiledConditions>[];

  constructor(rules: readonly AccessRule[], space: ConditionSpace, names: Names) {
    this.#rules = listed(rules, 'accessRules', names, ({ conditions }) => new CompiledConditions(conditions, space));
  }

  /** Evaluates the list: the phase, its possible dispositions in rule order, and which checks are skipped. */
  run(subjects: RequestSubjects) {
    const progress: Progress = { ended: 'false', ends: 'false', dispositions: [], skips: new Map() };
    const steps = this.#rules.map(({ content, prepared: conditions, rule, name, order }): AccessStep => {
      const { action } = content;
      const outcome = skippedOutcome(content, progress.ended);
      if (outcome !== undefined) return { rule, name, order, action, outcome };
      const { result, leaves } = conditions.of(subjects);
      const applied = applies(progress.ended, result);
      if (applied !== 'false') act(content, applied, progress);
      return { rule, name, order, action, outcome: outcomeOf(applied), leaves };
    });
    const { ends, dispositions, skips } = progress;
    const phase: AccessPhase = { phase: 'accessRules', ends, steps, skips: shownSkips(skips) };
    return { phase, dispositions, skips };
  }
}

function shownSkips(skips: Progress['skips']): AccessPhase['skips'] {
  const shown: AccessPhase['skips'][number][] = [];
  for (const target of skipTargets) {
    const result = skips.get(target);
    if (result !== undefined) shown.push({ target, result });
  }
  return shown;
}

/** The effect of a rule that applies, or may. */
function act(
  { action, skipTargets: spared, stopOnMatch }: AccessRule,
  applied: 'true' | 'unknown',
  to: Progress,
): void {
  switch (action) {
    case 'block':
    case 'challenge':
      // If this rule may have ended the list, later rules are evaluated for the case that it did not.
      if (applied === 'true') to.ended = applied;
      to.ends = or(to.ends, applied);
      to.dispositions.push(action);
      return;
    case 'allow':
      to.ended = or(to.ended, applied);
      return;
    case 'skip':
      for (const target of spared) if (to.skips.get(target) !== 'true') to.skips.set(target, applied);
      if (stopOnMatch) to.ended = or(to.ended, applied);
  }
}

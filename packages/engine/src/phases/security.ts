import { CompiledConditions, type ConditionSpace } from '../conditions/compiled-conditions.ts';
import type { RequestSubjects } from '../conditions/request-subjects.ts';
import { and, not, type Tri } from '../conditions/tri.ts';
import type { SecurityScenario, SkipTarget } from '../configuration/configuration.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { Names } from './names.ts';
import { type ListedRule, listed, outcomeOf, type Step } from './steps.ts';

/** The phase in an evaluation. */
export interface SecurityPhase {
  readonly phase: 'security';
  readonly ends: Tri;
  readonly active: Tri;
  readonly underAttack: Tri;
  readonly steps: readonly Step[];
}

/** The security scenarios of a configuration, and its under-attack mode. */
export class Security {
  readonly #scenarios: readonly ListedRule<SecurityScenario, CompiledConditions>[];

  constructor(scenarios: readonly SecurityScenario[], space: ConditionSpace, names: Names) {
    this.#scenarios = listed(
      scenarios,
      'securityScenarios',
      names,
      ({ filter }) => new CompiledConditions(filter, space),
    );
  }

  /** Filters see the request as the client sent it. Only whether they match is reported: actions depend on counters. */
  run(subjects: RequestSubjects, settings: EffectiveSettings, skips: ReadonlyMap<SkipTarget, Tri>): SecurityPhase {
    const enabled = settings.isOn('enabled');
    const active = and(enabled, settings.isOn('securityEnabled'));
    const spared = (target: SkipTarget): Tri => skips.get(target) ?? 'false';
    const underAttack = and(enabled, settings.isOn('underAttack'), not(spared('underAttack')));
    const runs = and(active, not(spared('scenarios')));
    const steps = this.#scenarios.map(({ content, prepared: filter, rule, name, order }): Step => {
      if (!content.enabled) return { rule, name, order, outcome: 'disabled' };
      if (runs === 'false') return { rule, name, order, outcome: 'inactive' };
      const { result, leaves } = filter.of(subjects);
      return { rule, name, order, outcome: outcomeOf(and(runs, result)), leaves };
    });
    return { phase: 'security', ends: underAttack, active, underAttack, steps };
  }
}

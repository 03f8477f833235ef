import { CompiledConditions, type ConditionSpace } from '../conditions/compiled-conditions.ts';
import type { SeenSubjects } from '../conditions/seen-subjects.ts';
import { or, type Tri } from '../conditions/tri.ts';
import type { ConfigurationRule } from '../configuration/configuration.ts';
import { EffectiveSettings, type ZoneLayer } from '../settings/effective-settings.ts';
import { isSettingKey, type SettingKey } from '../settings/setting-table.ts';
import type { Names } from './names.ts';
import { applies, type ListedRule, listed, outcomeOf, type Step, unlooked } from './steps.ts';

/** A step of this phase. */
export interface ConfigurationStep extends Step {
  /** The settings it replaces, sorted; left out unless it applies or may. */
  readonly writes?: readonly string[];
}

/** What an answer says of this phase. */
export interface ConfigurationPhase {
  readonly phase: 'configurationRules';
  readonly ends: 'false';
  readonly steps: readonly ConfigurationStep[];
}

interface CompiledRule extends ListedRule<ConfigurationRule> {
  readonly conditions: CompiledConditions;
  readonly writes: readonly SettingKey[];
}

/** The configuration rules of a configuration. They see the rewritten request. */
export class ConfigurationRules {
  readonly #rules: readonly CompiledRule[];
  readonly #zone: ZoneLayer;

  constructor(rules: readonly ConfigurationRule[], zone: ZoneLayer, space: ConditionSpace, names: Names) {
    this.#zone = zone;
    this.#rules = listed(rules, 'configurationRules', names).map((rule) => ({
      ...rule,
      conditions: new CompiledConditions(rule.content.conditions, space),
      writes: Object.keys(rule.content.settingsOverrides).filter(isSettingKey).toSorted(),
    }));
  }

  /** Goes through the list; each rule that applies replaces settings, each key as a whole. */
  run(subjects: SeenSubjects): { readonly phase: ConfigurationPhase; readonly settings: EffectiveSettings } {
    const settings = new EffectiveSettings(this.#zone);
    let ended: Tri = 'false';
    const steps = this.#rules.map(({ content, conditions, writes, rule, name, order }): ConfigurationStep => {
      const outcome = unlooked(content, ended);
      if (outcome !== undefined) return { rule, name, order, outcome };
      const { result, leaves } = conditions.of(subjects);
      const applied = applies(ended, result);
      if (applied === 'false') return { rule, name, order, outcome: 'notMatched', leaves };
      for (const key of writes) settings.write(key, content.settingsOverrides[key] ?? null, rule, applied);
      if (content.stopOnMatch) ended = or(ended, applied);
      return { rule, name, order, writes, outcome: outcomeOf(applied), leaves };
    });
    return { phase: { phase: 'configurationRules', ends: 'false', steps }, settings };
  }
}

import { CompiledConditions, type ConditionSpace } from '../conditions/compiled-conditions.ts';
import type { RequestSubjects } from '../conditions/request-subjects.ts';
import { or, type Tri } from '../conditions/tri.ts';
import type { ConfigurationRule } from '../configuration/configuration.ts';
import { memoized } from '../memoized.ts';
import { EffectiveSettings, type ZoneLayer } from '../settings/effective-settings.ts';
import { isSettingKey, type SettingKey, type SomeSettings } from '../settings/setting-table.ts';
import type { Work } from '../work.ts';
import type { Names } from './names.ts';
import { applies, type ListedRule, listed, outcomeOf, type Step, skippedOutcome } from './steps.ts';

/** A step of the phase. */
export interface ConfigurationStep extends Step {
  /** The keys it overrides, sorted; absent unless it applies or may. */
  readonly writes?: readonly string[];
}

/** The phase in an evaluation. */
export interface ConfigurationPhase {
  readonly phase: 'configurationRules';
  readonly ends: 'false';
  readonly steps: readonly ConfigurationStep[];
}

type CompiledRule = ListedRule<
  ConfigurationRule,
  { readonly conditions: CompiledConditions; readonly writes: readonly SettingKey[] }
>;

/** A rule that applies, or may. */
interface Application {
  readonly rule: CompiledRule;
  readonly applied: 'true' | 'unknown';
}

/** Work for a setting that a rule overrides, besides its share for each rule before, and for each rule in a key. */
const workForWrite = 30;
const workForApplication = 5;

/** How much text overrides have; pages are measured, and possible values compared with each other. */
const charactersIn = memoized((overrides: SomeSettings): number => JSON.stringify(overrides).length);

/** The work of one rule's overrides, with so many rules before it that apply or may. */
const writingWork = ({ content, prepared }: CompiledRule, applied: Application['applied'], earlier: number): number =>
  prepared.writes.length * (workForWrite + (earlier >> 2)) +
  charactersIn(content.settingsOverrides) * (applied === 'true' ? 1 : 1 + earlier);

/** Requests that match the same rules share their settings; this many combinations are cached. */
const maxCached = 50;

/** The configuration rules of a configuration. They see the rewritten request. */
export class ConfigurationRules {
  readonly #rules: readonly CompiledRule[];
  readonly #zone: ZoneLayer;
  readonly #work: Work;
  /** Keyed by the indexes of the rules that apply. */
  readonly #cached = new Map<string, EffectiveSettings>();

  constructor(rules: readonly ConfigurationRule[], zone: ZoneLayer, space: ConditionSpace, names: Names) {
    this.#zone = zone;
    this.#work = space.work;
    this.#rules = listed(rules, 'configurationRules', names, ({ conditions, settingsOverrides }) => ({
      conditions: new CompiledConditions(conditions, space),
      writes: Object.keys(settingsOverrides).filter(isSettingKey).toSorted(),
    }));
  }

  /** Evaluates the list; each rule that applies overrides settings, each key as a whole. */
  run(subjects: RequestSubjects): { readonly phase: ConfigurationPhase; readonly settings: EffectiveSettings } {
    const applications: Application[] = [];
    let ended: Tri = 'false';
    const steps = this.#rules.map((compiled): ConfigurationStep => {
      const { content, prepared, rule, name, order } = compiled;
      const { conditions, writes } = prepared;
      const outcome = skippedOutcome(content, ended);
      if (outcome !== undefined) return { rule, name, order, outcome };
      const { result, leaves } = conditions.of(subjects);
      const applied = applies(ended, result);
      if (applied === 'false') return { rule, name, order, outcome: 'notMatched', leaves };
      applications.push({ rule: compiled, applied });
      if (content.stopOnMatch) ended = or(ended, applied);
      return { rule, name, order, writes, outcome: outcomeOf(applied), leaves };
    });
    return {
      phase: { phase: 'configurationRules', ends: 'false', steps },
      settings: this.#settingsAfter(applications),
    };
  }

  #settingsAfter(applications: readonly Application[]): EffectiveSettings {
    this.#work.spend(workForApplication * (1 + applications.length));
    const key = applications.map(({ rule, applied }) => `${rule.order} ${applied}`).join();
    const cached = this.#cached.get(key);
    if (cached !== undefined) return cached;
    const settings = new EffectiveSettings(this.#zone);
    for (const [earlier, { rule, applied }] of applications.entries()) {
      const { settingsOverrides } = rule.content;
      this.#work.spend(writingWork(rule, applied, earlier));
      for (const name of rule.prepared.writes)
        settings.write(name, settingsOverrides[name] ?? null, rule.rule, applied);
    }
    if (this.#cached.size < maxCached) this.#cached.set(key, settings);
    return settings;
  }
}

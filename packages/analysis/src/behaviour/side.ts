import {
  type AccessRule,
  type Configuration,
  type ConfigurationRule,
  compile,
  type Engine,
  type Evaluation,
  type RequestFacts,
  type RewriteRule,
  type SettingKey,
} from '@zonewright/engine';
import { type AnalysedRule, type AnalysedRules, analysedRules, isTerminal } from '../findings/analysed-rules.ts';
import { writes } from '../findings/setting-findings.ts';
import { outcomeIn } from '../findings/zone-analysis.ts';
import type { Predicates } from '../solver/predicates.ts';

/** A configuration rule; undefined: the zone's own settings. */
export type Writer = AnalysedRule<ConfigurationRule> | undefined;

/** One of the two compared configurations. */
export class Side {
  readonly configuration: Configuration;
  readonly rules: AnalysedRules;
  #engine: Engine | undefined;

  constructor(configuration: Configuration, predicates: Predicates, isOver: () => boolean) {
    this.configuration = configuration;
    this.rules = analysedRules(configuration, predicates, isOver);
  }

  /** Evaluates a request. */
  view(facts: RequestFacts): View {
    this.#engine ??= compile(this.configuration);
    return new View(this, this.#engine.evaluate(facts));
  }

  /** The configuration rules that override a setting. */
  writers(key: SettingKey): readonly AnalysedRule<ConfigurationRule>[] {
    return this.rules.configurationRules.filter((rule) => writes(rule, key));
  }

  /** The value that a writer gives a setting. */
  valueOf(key: SettingKey, writer: Writer): unknown {
    return writer === undefined ? this.configuration.settings[key] : (writer.content.settingsOverrides[key] ?? null);
  }

  /** Access rules that end the request. */
  get terminalRules(): readonly AnalysedRule<AccessRule>[] {
    return this.rules.accessRules.filter(isTerminal);
  }

  /** Access rules that let requests skip checks. */
  get skipRules(): readonly AnalysedRule<AccessRule>[] {
    return this.rules.accessRules.filter(({ content }) => content.action === 'skip' && content.skipTargets.length > 0);
  }
}

/** One configuration's treatment of one request. */
export class View {
  readonly side: Side;
  readonly evaluation: Evaluation;

  constructor(side: Side, evaluation: Evaluation) {
    this.side = side;
    this.evaluation = evaluation;
  }

  /** The access rule that ended the request. */
  get terminalRule(): AnalysedRule<AccessRule> | undefined {
    return this.side.terminalRules.find((rule) => this.matched(rule));
  }

  /** The rewrite rule that matched. */
  get rewrite(): AnalysedRule<RewriteRule> | undefined {
    return this.side.rules.rewriteRules.find((rule) => this.matched(rule));
  }

  /** The access rules that let the request skip checks. */
  get skipping(): readonly AnalysedRule<AccessRule>[] {
    return this.side.skipRules.filter((rule) => this.matched(rule));
  }

  /** Whether scenarios run. */
  get isWatched(): boolean {
    const phase = this.evaluation.phases?.find((each) => each.phase === 'security');
    const isSkipped = this.skipping.some(({ content }) => content.skipTargets.includes('scenarios'));
    return phase?.active === 'true' && !isSkipped;
  }

  /** Whether a rule matched the request. */
  matched(rule: AnalysedRule): boolean {
    return outcomeIn(this.evaluation, rule) === 'matched';
  }

  /** The writer of a setting. */
  writer(key: SettingKey): Writer {
    const setting = this.evaluation.settings?.[key];
    const from = setting !== undefined && 'from' in setting ? setting.from : 'zone';
    return from === 'zone' ? undefined : this.side.rules.configurationRules.find(({ id }) => id === from);
  }

  /** The effective value of a setting. */
  value(key: SettingKey): unknown {
    return this.side.valueOf(key, this.writer(key));
  }
}

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
import { opposite, type Predicates, type RulePredicates } from '../solver/predicates.ts';
import type { PathReading } from './rewriting.ts';

/** A configuration rule; undefined: the zone's own settings. */
export type Writer = AnalysedRule<ConfigurationRule> | undefined;

/** Conditions on a path whose slashes are merged before it is compared. */
const ofMergedPath = (predicates: Predicates): RulePredicates => ({
  ofLeaf: (leaf) => predicates.ofMerged(predicates.ofLeaf(leaf)),
  ofSource: (rule) => predicates.ofMerged(predicates.ofSource(rule)),
});

/** Before all access rules: ambiguous paths are rejected, by no rule. */
const refusal = (predicates: Predicates): AnalysedRule<AccessRule> => {
  const literal = predicates.ofAmbiguousPath();
  const conditions = { logic: 'and', leaves: [] } as const;
  return {
    list: 'accessRules',
    id: '',
    name: '',
    content: { id: '', name: '', enabled: true, conditions, action: 'block', skipTargets: [], stopOnMatch: false },
    place: -1,
    formula: { literals: [literal], isAnd: true, holds: [[literal]], fails: [[opposite(literal)]] },
    leaves: [],
    whole: '',
    stops: true,
  };
};

/** Whether it stands for the rejection of ambiguous paths. */
export const isRefusal = ({ place }: AnalysedRule): boolean => place < 0;

/** One of the two compared configurations. */
export class Side {
  readonly configuration: Configuration;
  readonly rules: AnalysedRules;
  readonly reading: PathReading;
  #engine: Engine | undefined;

  /** With `isAlike`, both configurations read paths in the same way. */
  constructor(configuration: Configuration, predicates: Predicates, isAlike: boolean, isOver: () => boolean) {
    const { pathNormalization: normalization } = configuration.settings;
    this.configuration = configuration;
    this.reading = { normalization, merges: !isAlike && normalization === 'strict' };
    const rules = analysedRules(configuration, this.reading.merges ? ofMergedPath(predicates) : predicates, isOver);
    this.rules = this.reading.merges ? { ...rules, accessRules: [refusal(predicates), ...rules.accessRules] } : rules;
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
    if (isRefusal(rule)) return this.evaluation.disposition === 'rejected';
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

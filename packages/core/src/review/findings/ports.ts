import type { ResultAsync } from 'neverthrow';
import type { AnalysedConfiguration, ComparedConfigurations } from './analysed-configuration.ts';
import type { BehaviourDiff } from './behaviour.ts';
import type { AnalysisBusy } from './errors.ts';
import type { Findings } from './finding.ts';

/**
 * Analyses of a configuration over all possible requests. They are slow: an adapter runs them off the thread that
 * serves requests, and refuses those that would wait too long. A configuration that cannot be read is a defect, and
 * rejects.
 */
export interface Analyses {
  /** What a configuration does with all complete requests, as far as it can be proven within the default budget. */
  findings(configuration: AnalysedConfiguration): ResultAsync<Findings, AnalysisBusy>;
  /**
   * Which complete requests two configurations treat differently, as far as it can be proven within the default budget.
   */
  behaviour(question: ComparedConfigurations): ResultAsync<BehaviourDiff, AnalysisBusy>;
}

import type { BehaviourDiff, Findings } from '@zonewright/engine';
import type { ResultAsync } from 'neverthrow';
import type { AnalysedConfiguration, ComparedConfigurations } from './analysed-configuration.ts';
import type { AnalysisBusy } from './errors.ts';

/**
 * Answers questions about all requests. They take a while: an adapter keeps them away from the thread that serves, and
 * refuses what would have to wait too long. A configuration that cannot be read is a defect, and rejects.
 */
export interface Analyses {
  /** What a configuration does for all complete requests, as far as it is proven within the usual budget. */
  findings(configuration: AnalysedConfiguration): ResultAsync<Findings, AnalysisBusy>;
  /** Which complete requests two configurations treat differently, as far as it is proven within the usual budget. */
  behaviour(question: ComparedConfigurations): ResultAsync<BehaviourDiff, AnalysisBusy>;
}

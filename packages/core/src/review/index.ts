/** Changes before they are made: drafts, promotions and findings. */

export * from './change-sets/change-set.ts';
export { parseChangeSet, parseChangeSetChange } from './change-sets/change-set-body.ts';
export {
  type ChangeSetWithConflicts,
  changeSetVersion,
  type ListedChangeSet,
} from './change-sets/change-set-conflicts.ts';
export * from './change-sets/errors.ts';
export type { ListChangeSetsQuery } from './change-sets/list-change-sets.ts';
export type { OperationReader } from './change-sets/operation.ts';
export * from './change-sets/ports.ts';
export type { AnalysedConfiguration, ComparedConfigurations } from './findings/analysed-configuration.ts';
export type * from './findings/behaviour.ts';
export { type BehaviourQuestion, comparedBackends, type ZoneBehaviour } from './findings/compare-behaviour.ts';
export * from './findings/errors.ts';
export * from './findings/finding.ts';
export type { FindingsSelection } from './findings/findings-selection.ts';
export type * from './findings/ports.ts';
export type { FindingsQuestion, ReportedFinding, ZoneFindings } from './findings/read-findings.ts';
export * from './promotions/errors.ts';
export type * from './promotions/ports.ts';
export type { PromotionOutcome } from './promotions/promote-zone.ts';
export * from './promotions/promotion.ts';
export { PromotionDraft } from './promotions/promotion-draft.ts';
export type { ReviewRepositories } from './repositories.ts';

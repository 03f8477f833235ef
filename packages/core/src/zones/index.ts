/** Zones: their settings, rules and history, and what they do to a request. */

export * from './basic-auth/basic-auth-user.ts';
export * from './basic-auth-users/errors.ts';
export type * from './basic-auth-users/ports.ts';
export { Conditions, conditionsKey, ScenarioFilter } from './conditions/conditions.ts';
export * from './deleted-zones/deleted-zone.ts';
export * from './deleted-zones/errors.ts';
export type * from './deleted-zones/ports.ts';
export { ZoneRestoration } from './deleted-zones/restore-deleted-zone.ts';
export type { EvaluateRequest, EvaluationQuestion, ZoneEvaluation } from './evaluation/evaluate-request.ts';
export {
  type EvaluationBudget,
  type EvaluationTooLong,
  evaluationTooLong,
  shortEvaluation,
} from './evaluation/evaluation-budget.ts';
export { type NamedZone, type NamesOfZone, ruleKindOf } from './evaluation/names.ts';
export { parseRequestFacts } from './evaluation/request-facts.ts';
export * from './history/backend-revision.ts';
export type * from './history/ports.ts';
export {
  type Revision,
  type RevisionNotFound,
  RevisionNumber,
  type RevisionSummary,
  revisionNotFound,
} from './history/revision.ts';
export { stateAt, statesAround } from './history/state-at.ts';
export { patchPair, type ZoneDocument } from './history/zone-document.ts';
export type { MergeConflict, MergeConflicted, Resolution } from './merging/merge-documents.ts';
export type { ZoneRepositories } from './repositories.ts';
export { MissingMode, type MissingPart } from './revisions/missing-references.ts';
export type { BackendRevisionDetails } from './revisions/read-backend-revisions.ts';
export type { RevisionDetails, RevisionDiff } from './revisions/read-revisions.ts';
export { accessActions, skipTargets } from './rule-kinds/access-rule.ts';
export { ConfigurationRuleContent } from './rule-kinds/configuration-rule.ts';
export { redirectStatuses } from './rule-kinds/rewrite-rule.ts';
export type * from './rule-kinds/rule.ts';
export { type RuleContents, type RuleKind, ruleKeys, ruleKinds, ruleVersion } from './rule-kinds/rule-kinds.ts';
export { type RuleNotFound, ruleKindNames, ruleListNames, ruleNotFound } from './rule-kinds/rule-lists.ts';
export {
  type PositionChange,
  type RuleOrder,
  RulePosition,
  type RuleRank,
  reposition,
} from './rule-kinds/rule-order.ts';
export * from './rule-kinds/security-scenario.ts';
export type * from './rules/ports.ts';
export type { ListRulesQuery } from './rules/read-rules.ts';
export { parseWantedRules } from './rules/replace-rules.ts';
export { parseRuleContent, parseRuleDraft, type RuleDraft } from './rules/rule-draft.ts';
export { RuleMove } from './rules/rule-placement.ts';
export type { SettingsReferences } from './settings/references.ts';
export { defaultZoneSettings, SettingsOverrides, ZoneSettings } from './settings/settings.ts';
export { exportOrganization, exportZone } from './transfer/export-zones.ts';
export type { ImportOptions } from './transfer/import-target.ts';
export { type ImportResult, importZones } from './transfer/import-zones.ts';
export { parseTransferDocument } from './transfer/transfer-document.ts';
export * from './zone-changes/errors.ts';
export type * from './zone-changes/ports.ts';
export type * from './zone-changes/zone-facts.ts';
export type { ListPlan } from './zone-changes/zone-plan.ts';
export * from './zone-changes/zone-plan.ts';
export { maskedBanToken, unreadableBanToken } from './zones/ban-token.ts';
export type { ConcernedOrganization } from './zones/concerned-organization.ts';
export * from './zones/errors.ts';
export * from './zones/ports.ts';
export type { ZoneDetails } from './zones/read-zone.ts';
export { EnvironmentTag, environmentTags, type Zone, ZoneDraft, ZoneName, zoneVersion } from './zones/zone.ts';
export type { ZoneAccessError } from './zones/zone-access.ts';
export type * from './zones/zone-state.ts';

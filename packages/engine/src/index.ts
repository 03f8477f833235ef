/** The public surface of the engine: nothing else can be imported from outside. */

export * from './addresses/ip-address.ts';
export { isDocumentationAddress, isRefusedAddress } from './addresses/refused-addresses.ts';
export type { CacheBlocker, CacheDecision, CacheTtl } from './cache/cache-decision.ts';
export type { CacheClass, CacheKey, KeyPart } from './cache/cache-key.ts';
export { canonicalJson } from './canonical-json.ts';
export { type CanonicalValue, canonicalTarget, canonicalValue, markedQueries } from './conditions/canonical-value.ts';
export type { ConditionSet, Leaf } from './conditions/compiled-conditions.ts';
export * from './conditions/fields.ts';
export { listEntries, listSeparators } from './conditions/list-entries.ts';
export { type Logic, logicOf, logicSpellings } from './conditions/logic.ts';
export * from './conditions/operators.ts';
export type { LeafAnswer, ShownSubject } from './conditions/request-subjects.ts';
export type { Tri } from './conditions/tri.ts';
export type { Backends, LoadBalancer, OriginServer } from './configuration/backends.ts';
export type * from './configuration/configuration.ts';
export { type ParseOptions, parseConfiguration } from './configuration/parse-configuration.ts';
export * from './delivery/document-checks.ts';
export * from './delivery/stored-configuration.ts';
export { type CompileOptions, compile, type Engine, type LimitedEvaluation } from './evaluation/engine.ts';
export type { Evaluation, Phase, RequestAnswer, UnknownFact } from './evaluation/evaluation.ts';
export { type Failure, failure, type Outcome, type Success, success } from './outcome.ts';
export { type ParsedPattern, parsePattern } from './patterns/pattern.ts';
export { type PatternProblem, type PatternProblemCode, patternLimits } from './patterns/pattern-problems.ts';
export { groupsInRepetitions, type PatternNode, repeatsEmptyText } from './patterns/pattern-tree.ts';
export type { AccessPhase, AccessStep } from './phases/access-rules.ts';
export type { BasicAuthPhase } from './phases/basic-auth.ts';
export type { ConfigurationPhase, ConfigurationStep } from './phases/configuration-rules.ts';
export type { Disposition } from './phases/dispositions.ts';
export type { MaintenancePhase } from './phases/maintenance.ts';
export type { Names, RuleListName } from './phases/names.ts';
export type { OriginAnswer, OriginChoice } from './phases/origin.ts';
export type { ResponseAnswer } from './phases/response.ts';
export type { Redirect, RewritePhase, RewriteStep } from './phases/rewrite-rules.ts';
export type { SecurityPhase } from './phases/security.ts';
export type { Step, StepOutcome } from './phases/steps.ts';
export { hostOfAuthority, namesAnswering } from './request/authority.ts';
export { utf8 } from './request/bytes.ts';
export type { RejectionReason, TargetForm } from './request/canonical-request.ts';
export { countryCodes } from './request/countries.ts';
export { parseFacts, type RequestFacts, type Scheme } from './request/facts.ts';
export type { HeaderLine } from './request/header-fields.ts';
export { normalizeQuery, type PathNormalization, pathNormalizations } from './request/request-target.ts';
export { withLiteralHost } from './rewrites/own-host.ts';
export { type Unsoundness, unsoundness } from './rewrites/soundness.ts';
export type { Address } from './rewrites/target.ts';
export * from './settings/cache-constants.ts';
export type { SettingAnswer, SettingsAnswer, WrittenValue } from './settings/effective-settings.ts';
export { settingPairs } from './settings/setting-pairs.ts';
export {
  defaultSettings,
  type HeaderOperation,
  type SettingKey,
  type Settings,
  type SomeSettings,
} from './settings/setting-table.ts';
export type { Problem } from './shapes.ts';
export { workPerMillisecond } from './work.ts';

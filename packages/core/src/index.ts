/** The public surface of the domain, by concept: nothing else can be imported from outside. */

// Aggregates

export { administration } from './operator-use-cases.ts';
export type {
  CombinedUnits,
  Repositories,
  Room,
  SessionOptions,
  StorageSession,
  Subject,
  UnitOfWork,
} from './repositories.ts';
export { StorageUnavailable } from './shared/failures.ts';
export {
  type DomainError,
  type Ports,
  type UseCases,
  type UseCasesWith,
  useCases,
} from './use-cases.ts';

// Shared values

export type { Client } from './shared/client.ts';
export * from './shared/ids.ts';
export * from './shared/json-document.ts';
export { lazily } from './shared/lazily.ts';
export { memoized } from './shared/memoized.ts';
export { isJsonList, isJsonObject, type Json, type JsonObject, jsonOf, mergePatch } from './shared/merge-patch.ts';
export * from './shared/page.ts';
export { coded, parse, parseDocument } from './shared/parse.ts';
export type { Randomness } from './shared/randomness.ts';
export type { ComparableSecretBox, SecretBox } from './shared/secret-box.ts';
export type { Sha256 } from './shared/sha256.ts';
export { nameKey, searchKey, text, utf8Bytes } from './shared/text.ts';
export type * from './shared/token-hash.ts';
export { type ExpectedVersions, requireVersion, type Version, versionMismatch } from './shared/version.ts';
export {
  type InvalidInput,
  invalidInput,
  under,
  type Violation,
  violation,
  violationsUnder,
} from './shared/violation.ts';

// Callers and permissions

export * from './access/caller.ts';
export * from './access/confirmation.ts';
export type * from './access/credential.ts';
export * from './access/errors.ts';
export { openOrganizations, requireTokenPermission, zonesOf } from './access/permissions.ts';
export {
  contentPermissions,
  defaultTokenPermissions,
  type NeededPermissions,
  permissionToManage,
  type Role,
  readPermissions,
  roles,
  type TokenPermission,
  tokenPermissions,
} from './access/role.ts';
export * from './access/second-factor.ts';
export { isUsableFrom, networkOfUse, TokenNetwork } from './access/token-networks.ts';

// Accounts, their administration, the audit log and mails

export * from './accounts/account.ts';
export { PasswordChange } from './accounts/change-password.ts';
export * from './accounts/errors.ts';
export * from './accounts/password.ts';
export type { PasswordBlocklist } from './accounts/password-policy.ts';
export type * from './accounts/ports.ts';
export * from './address-changes/address-change.ts';
export type * from './address-changes/ports.ts';
export { actFor } from './administration/act-for.ts';
export type { LimitChanges, LimitsOfOrganization } from './administration/change-limits.ts';
export type { RetentionChange } from './administration/change-retention.ts';
export { NewUser } from './administration/create-user.ts';
export type * from './administration/ports.ts';
export type { Operator } from './administration/record-operator.ts';
export * from './administration/retention.ts';
export * from './audit/audit-entry.ts';
export type { ConcernedOrganization } from './audit/concerned-organization.ts';
export type * from './audit/ports.ts';
export type { RecordRefusal } from './audit/record.ts';
export * from './mail/deliver-next-mail.ts';
export * from './mail/email.ts';
export * from './mail/mail.ts';
export * from './mail/mailed-token.ts';
export { noticesPerHour } from './mail/notify.ts';
export * from './mail/ports.ts';
export type { MailCap } from './mail/prepare-mail.ts';

// Signing in

export * from './api-tokens/api-token.ts';
export type { CreatedApiToken } from './api-tokens/create-api-token.ts';
export * from './api-tokens/errors.ts';
export type * from './api-tokens/ports.ts';
export * from './passkeys/surface.ts';
export type { Authenticate, CheckCredential, PresentedCredential } from './sessions/authenticate.ts';
export * from './sessions/challenge.ts';
export type { CompleteTwoFactor, SecondFactorProof } from './sessions/complete-two-factor.ts';
export { SessionProof } from './sessions/confirm-session.ts';
export * from './sessions/errors.ts';
export type { FindChallengedUser } from './sessions/find-challenged-user.ts';
export { type LoggedIn, Login } from './sessions/log-in.ts';
export type { LogOut, LogOutCredentials } from './sessions/log-out.ts';
export type * from './sessions/ports.ts';
export * from './sessions/session.ts';
export * from './two-factor/errors.ts';
export type * from './two-factor/ports.ts';
export {
  parseRecoveryCode,
  type RecoveryCode,
  type RecoveryCodeHash,
  recoveryCodeCount,
} from './two-factor/recovery-code.ts';
export type { ReportSecondFactorLock } from './two-factor/report-second-factor-lock.ts';
export type { SetupData } from './two-factor/set-up.ts';
export { pendingLifetimeSeconds, type TotpSecret, type TwoFactor, VerificationCode } from './two-factor/two-factor.ts';

// Identities at providers

export * from './identities/surface.ts';

// Organizations and invitations

export * from './invitations/errors.ts';
export * from './invitations/invitation.ts';
export type * from './invitations/ports.ts';
export { mayCreateOrganizations } from './organizations/create-organization.ts';
export * from './organizations/errors.ts';
export { type Member, MemberSettings, memberVersion } from './organizations/member.ts';
export * from './organizations/organization.ts';
export type * from './organizations/ports.ts';
export type { OrganizationDetails } from './organizations/read-organizations.ts';
export { bytesOfRevision } from './organizations/storage-quota.ts';

// Backends

export * from './backends/surface.ts';

// Domains and host names

export * from './domains/surface.ts';

// Zones and their settings

export type { SettingsReferences } from './settings/references.ts';
export { defaultZoneSettings, SettingsOverrides, ZoneSettings } from './settings/settings.ts';
export * from './zone-changes/errors.ts';
export type * from './zone-changes/ports.ts';
export type * from './zone-changes/zone-facts.ts';
export type { ListPlan } from './zone-changes/zone-plan.ts';
export * from './zone-changes/zone-plan.ts';
export { maskedBanToken, unreadableBanToken } from './zones/ban-token.ts';
export * from './zones/errors.ts';
export * from './zones/ports.ts';
export type { ZoneDetails } from './zones/read-zone.ts';
export { EnvironmentTag, environmentTags, type Zone, ZoneDraft, ZoneName, zoneVersion } from './zones/zone.ts';
export type { ZoneAccessError } from './zones/zone-access.ts';
export type * from './zones/zone-state.ts';

// Rules and their conditions

export { Conditions, conditionsKey, ScenarioFilter } from './conditions/conditions.ts';
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

// Basic-auth users

export * from './basic-auth/basic-auth-user.ts';
export * from './basic-auth-users/errors.ts';
export type * from './basic-auth-users/ports.ts';

// History of a zone

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
export { MissingMode, type MissingPart } from './revisions/missing-references.ts';
export type { BackendRevisionDetails } from './revisions/read-backend-revisions.ts';
export type { RevisionDetails, RevisionDiff } from './revisions/read-revisions.ts';

// Zones as documents, to be taken elsewhere

export { exportOrganization, exportZone } from './transfer/export-zones.ts';
export type { ImportOptions } from './transfer/import-target.ts';
export { type ImportResult, importZones } from './transfer/import-zones.ts';
export { parseTransferDocument } from './transfer/transfer-document.ts';

// Deleted zones

export * from './deleted-zones/deleted-zone.ts';
export * from './deleted-zones/errors.ts';
export type * from './deleted-zones/ports.ts';
export { ZoneRestoration } from './deleted-zones/restore-deleted-zone.ts';

// What a configuration does to a request

export { namesAnswering, type RequestFacts } from '@zonewright/engine';
export type { EvaluateRequest, EvaluationQuestion, ZoneEvaluation } from './evaluation/evaluate-request.ts';
export {
  type EvaluationBudget,
  type EvaluationTooLong,
  evaluationTooLong,
  shortEvaluation,
} from './evaluation/evaluation-budget.ts';
export { type NamedZone, type NamesOfZone, ruleKindOf } from './evaluation/names.ts';
export { parseRequestFacts } from './evaluation/request-facts.ts';

// What a configuration does for all requests

export type { AnalysedConfiguration, ComparedConfigurations } from './findings/analysed-configuration.ts';
export type * from './findings/behaviour.ts';
export { type BehaviourQuestion, comparedBackends, type ZoneBehaviour } from './findings/compare-behaviour.ts';
export * from './findings/errors.ts';
export * from './findings/finding.ts';
export type { FindingsSelection } from './findings/findings-selection.ts';
export type * from './findings/ports.ts';
export type { FindingsQuestion, ReportedFinding, ZoneFindings } from './findings/read-findings.ts';

// Change sets: drafts of zones

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
export type { MergeConflict, MergeConflicted, Resolution } from './merging/merge-documents.ts';

// Promotions: changes brought from one zone to another

export * from './promotions/errors.ts';
export type * from './promotions/ports.ts';
export type { PromotionOutcome } from './promotions/promote-zone.ts';
export * from './promotions/promotion.ts';
export { PromotionDraft } from './promotions/promotion-draft.ts';

// Edges, and what they have of zones

export * from './edges/surface.ts';

// Limits of use

export { limitsInForce } from './usage-limits/limits-in-force.ts';
export * from './usage-limits/usage-limits.ts';

// Limits of attempts, safe retries

export type * from './expiry/ports.ts';
export * from './idempotency/errors.ts';
export { idempotencyKeyLifetimeSeconds } from './idempotency/lifetime.ts';
export type * from './idempotency/ports.ts';
export * from './rate-limits/cost.ts';
export * from './rate-limits/limit-status.ts';
export type * from './rate-limits/ports.ts';

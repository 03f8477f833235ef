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
export { StorageUnavailable } from './kernel/shared/failures.ts';
export {
  type DomainError,
  type Ports,
  type UseCases,
  type UseCasesWith,
  useCases,
} from './use-cases.ts';

// Shared values

export type { Client } from './kernel/shared/client.ts';
export * from './kernel/shared/ids.ts';
export * from './kernel/shared/json-document.ts';
export { lazily } from './kernel/shared/lazily.ts';
export { memoized } from './kernel/shared/memoized.ts';
export { isJsonList, isJsonObject, type Json, type JsonObject, jsonOf, mergePatch } from './kernel/shared/merge-patch.ts';
export * from './kernel/shared/page.ts';
export { coded, parse, parseDocument } from './kernel/shared/parse.ts';
export type { Randomness } from './kernel/shared/randomness.ts';
export type { ComparableSecretBox, SecretBox } from './kernel/shared/secret-box.ts';
export type { Sha256 } from './kernel/shared/sha256.ts';
export { nameKey, searchKey, text, utf8Bytes } from './kernel/shared/text.ts';
export type * from './kernel/shared/token-hash.ts';
export { type ExpectedVersions, requireVersion, type Version, versionMismatch } from './kernel/shared/version.ts';
export {
  type InvalidInput,
  invalidInput,
  under,
  type Violation,
  violation,
  violationsUnder,
} from './kernel/shared/violation.ts';

// Callers and permissions

export * from './organizations/access/caller.ts';
export * from './organizations/access/confirmation.ts';
export type * from './organizations/access/credential.ts';
export * from './organizations/access/errors.ts';
export { openOrganizations, requireTokenPermission, zonesOf } from './organizations/access/permissions.ts';
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
} from './organizations/access/role.ts';
export * from './organizations/access/second-factor.ts';
export { isUsableFrom, networkOfUse, TokenNetwork } from './organizations/access/token-networks.ts';

// Accounts, their administration, the audit log and mails

export * from './accounts/accounts/account.ts';
export { PasswordChange } from './accounts/accounts/change-password.ts';
export * from './accounts/accounts/errors.ts';
export * from './accounts/accounts/password.ts';
export type { PasswordBlocklist } from './accounts/accounts/password-policy.ts';
export type * from './accounts/accounts/ports.ts';
export * from './accounts/address-changes/address-change.ts';
export type * from './accounts/address-changes/ports.ts';
export { actFor } from './accounts/administration/act-for.ts';
export type { LimitChanges, LimitsOfOrganization } from './accounts/administration/change-limits.ts';
export type { RetentionChange } from './accounts/administration/change-retention.ts';
export { NewUser } from './accounts/administration/create-user.ts';
export type * from './accounts/administration/ports.ts';
export type { Operator } from './accounts/administration/record-operator.ts';
export * from './accounts/administration/retention.ts';
export * from './organizations/audit/audit-entry.ts';
export type { ConcernedOrganization } from './organizations/audit/concerned-organization.ts';
export type * from './organizations/audit/ports.ts';
export type { RecordRefusal } from './organizations/audit/record.ts';
export * from './kernel/mail/deliver-next-mail.ts';
export * from './kernel/mail/email.ts';
export * from './kernel/mail/mail.ts';
export * from './kernel/mail/mailed-token.ts';
export { noticesPerHour } from './kernel/mail/notify.ts';
export * from './kernel/mail/ports.ts';
export type { MailCap } from './kernel/mail/prepare-mail.ts';

// Signing in

export * from './accounts/api-tokens/api-token.ts';
export type { CreatedApiToken } from './accounts/api-tokens/create-api-token.ts';
export * from './accounts/api-tokens/errors.ts';
export type * from './accounts/api-tokens/ports.ts';
export * from './accounts/passkeys/surface.ts';
export type { Authenticate, CheckCredential, PresentedCredential } from './accounts/sessions/authenticate.ts';
export * from './accounts/sessions/challenge.ts';
export type { CompleteTwoFactor, SecondFactorProof } from './accounts/sessions/complete-two-factor.ts';
export { SessionProof } from './accounts/sessions/confirm-session.ts';
export * from './accounts/sessions/errors.ts';
export type { FindChallengedUser } from './accounts/sessions/find-challenged-user.ts';
export { type LoggedIn, Login } from './accounts/sessions/log-in.ts';
export type { LogOut, LogOutCredentials } from './accounts/sessions/log-out.ts';
export type * from './accounts/sessions/ports.ts';
export * from './accounts/sessions/session.ts';
export * from './accounts/two-factor/errors.ts';
export type * from './accounts/two-factor/ports.ts';
export {
  parseRecoveryCode,
  type RecoveryCode,
  type RecoveryCodeHash,
  recoveryCodeCount,
} from './accounts/two-factor/recovery-code.ts';
export type { ReportSecondFactorLock } from './accounts/two-factor/report-second-factor-lock.ts';
export type { SetupData } from './accounts/two-factor/set-up.ts';
export { pendingLifetimeSeconds, type TotpSecret, type TwoFactor, VerificationCode } from './accounts/two-factor/two-factor.ts';

// Identities at providers

export * from './accounts/identities/surface.ts';

// Organizations and invitations

export * from './organizations/invitations/errors.ts';
export * from './organizations/invitations/invitation.ts';
export type * from './organizations/invitations/ports.ts';
export { mayCreateOrganizations } from './organizations/organizations/create-organization.ts';
export * from './organizations/organizations/errors.ts';
export { type Member, MemberSettings, memberVersion } from './organizations/organizations/member.ts';
export * from './organizations/organizations/organization.ts';
export type * from './organizations/organizations/ports.ts';
export type { OrganizationDetails } from './organizations/organizations/read-organizations.ts';
export { bytesOfRevision } from './organizations/organizations/storage-quota.ts';

// Backends

export * from './organizations/backends/surface.ts';

// Domains and host names

export * from './organizations/domains/surface.ts';

// Zones and their settings

export type { SettingsReferences } from './zones/settings/references.ts';
export { defaultZoneSettings, SettingsOverrides, ZoneSettings } from './zones/settings/settings.ts';
export * from './zones/zone-changes/errors.ts';
export type * from './zones/zone-changes/ports.ts';
export type * from './zones/zone-changes/zone-facts.ts';
export type { ListPlan } from './zones/zone-changes/zone-plan.ts';
export * from './zones/zone-changes/zone-plan.ts';
export { maskedBanToken, unreadableBanToken } from './zones/zones/ban-token.ts';
export * from './zones/zones/errors.ts';
export * from './zones/zones/ports.ts';
export type { ZoneDetails } from './zones/zones/read-zone.ts';
export { EnvironmentTag, environmentTags, type Zone, ZoneDraft, ZoneName, zoneVersion } from './zones/zones/zone.ts';
export type { ZoneAccessError } from './zones/zones/zone-access.ts';
export type * from './zones/zones/zone-state.ts';

// Rules and their conditions

export { Conditions, conditionsKey, ScenarioFilter } from './zones/conditions/conditions.ts';
export { accessActions, skipTargets } from './zones/rule-kinds/access-rule.ts';
export { ConfigurationRuleContent } from './zones/rule-kinds/configuration-rule.ts';
export { redirectStatuses } from './zones/rule-kinds/rewrite-rule.ts';
export type * from './zones/rule-kinds/rule.ts';
export { type RuleContents, type RuleKind, ruleKeys, ruleKinds, ruleVersion } from './zones/rule-kinds/rule-kinds.ts';
export { type RuleNotFound, ruleKindNames, ruleListNames, ruleNotFound } from './zones/rule-kinds/rule-lists.ts';
export {
  type PositionChange,
  type RuleOrder,
  RulePosition,
  type RuleRank,
  reposition,
} from './zones/rule-kinds/rule-order.ts';
export * from './zones/rule-kinds/security-scenario.ts';
export type * from './zones/rules/ports.ts';
export type { ListRulesQuery } from './zones/rules/read-rules.ts';
export { parseWantedRules } from './zones/rules/replace-rules.ts';
export { parseRuleContent, parseRuleDraft, type RuleDraft } from './zones/rules/rule-draft.ts';
export { RuleMove } from './zones/rules/rule-placement.ts';

// Basic-auth users

export * from './zones/basic-auth/basic-auth-user.ts';
export * from './zones/basic-auth-users/errors.ts';
export type * from './zones/basic-auth-users/ports.ts';

// History of a zone

export * from './zones/history/backend-revision.ts';
export type * from './zones/history/ports.ts';
export {
  type Revision,
  type RevisionNotFound,
  RevisionNumber,
  type RevisionSummary,
  revisionNotFound,
} from './zones/history/revision.ts';
export { stateAt, statesAround } from './zones/history/state-at.ts';
export { patchPair, type ZoneDocument } from './zones/history/zone-document.ts';
export { MissingMode, type MissingPart } from './zones/revisions/missing-references.ts';
export type { BackendRevisionDetails } from './zones/revisions/read-backend-revisions.ts';
export type { RevisionDetails, RevisionDiff } from './zones/revisions/read-revisions.ts';

// Zones as documents, to be taken elsewhere

export { exportOrganization, exportZone } from './zones/transfer/export-zones.ts';
export type { ImportOptions } from './zones/transfer/import-target.ts';
export { type ImportResult, importZones } from './zones/transfer/import-zones.ts';
export { parseTransferDocument } from './zones/transfer/transfer-document.ts';

// Deleted zones

export * from './zones/deleted-zones/deleted-zone.ts';
export * from './zones/deleted-zones/errors.ts';
export type * from './zones/deleted-zones/ports.ts';
export { ZoneRestoration } from './zones/deleted-zones/restore-deleted-zone.ts';

// What a configuration does to a request

export { namesAnswering, type RequestFacts } from '@zonewright/engine';
export type { EvaluateRequest, EvaluationQuestion, ZoneEvaluation } from './zones/evaluation/evaluate-request.ts';
export {
  type EvaluationBudget,
  type EvaluationTooLong,
  evaluationTooLong,
  shortEvaluation,
} from './zones/evaluation/evaluation-budget.ts';
export { type NamedZone, type NamesOfZone, ruleKindOf } from './zones/evaluation/names.ts';
export { parseRequestFacts } from './zones/evaluation/request-facts.ts';

// What a configuration does for all requests

export type { AnalysedConfiguration, ComparedConfigurations } from './review/findings/analysed-configuration.ts';
export type * from './review/findings/behaviour.ts';
export { type BehaviourQuestion, comparedBackends, type ZoneBehaviour } from './review/findings/compare-behaviour.ts';
export * from './review/findings/errors.ts';
export * from './review/findings/finding.ts';
export type { FindingsSelection } from './review/findings/findings-selection.ts';
export type * from './review/findings/ports.ts';
export type { FindingsQuestion, ReportedFinding, ZoneFindings } from './review/findings/read-findings.ts';

// Change sets: drafts of zones

export * from './review/change-sets/change-set.ts';
export { parseChangeSet, parseChangeSetChange } from './review/change-sets/change-set-body.ts';
export {
  type ChangeSetWithConflicts,
  changeSetVersion,
  type ListedChangeSet,
} from './review/change-sets/change-set-conflicts.ts';
export * from './review/change-sets/errors.ts';
export type { ListChangeSetsQuery } from './review/change-sets/list-change-sets.ts';
export type { OperationReader } from './review/change-sets/operation.ts';
export * from './review/change-sets/ports.ts';
export type { MergeConflict, MergeConflicted, Resolution } from './zones/merging/merge-documents.ts';

// Promotions: changes brought from one zone to another

export * from './review/promotions/errors.ts';
export type * from './review/promotions/ports.ts';
export type { PromotionOutcome } from './review/promotions/promote-zone.ts';
export * from './review/promotions/promotion.ts';
export { PromotionDraft } from './review/promotions/promotion-draft.ts';

// Edges, and what they have of zones

export * from './delivery/edges/surface.ts';

// Limits of use

export { limitsInForce } from './kernel/usage-limits/limits-in-force.ts';
export * from './kernel/usage-limits/usage-limits.ts';

// Limits of attempts, safe retries

export type * from './kernel/expiry/ports.ts';
export * from './kernel/idempotency/errors.ts';
export { idempotencyKeyLifetimeSeconds } from './kernel/idempotency/lifetime.ts';
export type * from './kernel/idempotency/ports.ts';
export * from './kernel/rate-limits/cost.ts';
export * from './kernel/rate-limits/limit-status.ts';
export type * from './kernel/rate-limits/ports.ts';

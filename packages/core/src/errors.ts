import type { PermissionDenied, SessionRequired, TwoFactorRequired, Unauthenticated } from './access/errors.ts';
import type {
  AccountInactive,
  AccountNotFound,
  EmailTaken,
  HashingBusy,
  MailedTokenInvalid,
  PasswordTooCommon,
  UserNotShared,
  WrongCurrentPassword,
} from './accounts/errors.ts';
import type { ApiTokenNotFound } from './api-tokens/errors.ts';
import type { BackendInUse, LoadBalancerNotFound, OriginServerNotFound } from './backends/errors.ts';
import type { BasicAuthUserInUse, BasicAuthUserNotFound } from './basic-auth-users/errors.ts';
import type { ChangeSetClosed, ChangeSetNotFound } from './change-sets/errors.ts';
import type { DeletedZoneNotFound } from './deleted-zones/errors.ts';
import type { EvaluationTooLong } from './evaluation/errors.ts';
import type { AnalysisBusy } from './findings/errors.ts';
import type { RevisionNotFound } from './history/errors.ts';
import type {
  InvitationEnded,
  InvitationForAnother,
  InvitationNotFound,
  InvitationPending,
  InvitationResendLimit,
  InvitationTokenInvalid,
} from './invitations/errors.ts';
import type { MergeConflicted } from './merging/merge-documents.ts';
import type {
  CreationDenied,
  LastOwner,
  MemberNotFound,
  OrganizationNotEmpty,
  OrganizationNotFound,
  OwnSecondFactorMissing,
} from './organizations/errors.ts';
import type { PromotionNotFound, SourceChanged } from './promotions/errors.ts';
import type { RuleNotFound } from './rules/errors.ts';
import type {
  ChallengeInvalid,
  InvalidCredentials,
  RefreshTokenInvalid,
  RefreshTokenReused,
  SessionNotFound,
} from './sessions/errors.ts';
import type { PageTooLarge } from './shared/page.ts';
import type { VersionMismatch } from './shared/version.ts';
import type { InvalidInput } from './shared/violation.ts';
import type {
  InvalidVerificationCode,
  TwoFactorAlreadyEnabled,
  TwoFactorEnforced,
  TwoFactorNotEnabled,
  TwoFactorNotPending,
} from './two-factor/errors.ts';
import type { ZoneNotFound } from './zones/errors.ts';

/** Every domain error. A table that maps errors to responses must cover all of them. */
export type DomainError =
  | AccountInactive
  | AccountNotFound
  | AnalysisBusy
  | ApiTokenNotFound
  | BasicAuthUserInUse
  | BasicAuthUserNotFound
  | BackendInUse
  | ChallengeInvalid
  | ChangeSetClosed
  | ChangeSetNotFound
  | DeletedZoneNotFound
  | EmailTaken
  | EvaluationTooLong
  | CreationDenied
  | HashingBusy
  | InvalidCredentials
  | InvalidInput
  | InvalidVerificationCode
  | InvitationEnded
  | InvitationForAnother
  | InvitationNotFound
  | InvitationPending
  | InvitationResendLimit
  | InvitationTokenInvalid
  | LastOwner
  | LoadBalancerNotFound
  | MailedTokenInvalid
  | MemberNotFound
  | MergeConflicted
  | OrganizationNotEmpty
  | OrganizationNotFound
  | OriginServerNotFound
  | OwnSecondFactorMissing
  | PageTooLarge
  | PasswordTooCommon
  | PermissionDenied
  | PromotionNotFound
  | RefreshTokenInvalid
  | RefreshTokenReused
  | RevisionNotFound
  | RuleNotFound
  | SessionNotFound
  | SessionRequired
  | SourceChanged
  | TwoFactorAlreadyEnabled
  | TwoFactorEnforced
  | TwoFactorNotEnabled
  | TwoFactorNotPending
  | TwoFactorRequired
  | Unauthenticated
  | UserNotShared
  | VersionMismatch
  | WrongCurrentPassword
  | ZoneNotFound;

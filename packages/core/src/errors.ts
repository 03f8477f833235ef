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
import type {
  InvitationEnded,
  InvitationForAnother,
  InvitationNotFound,
  InvitationPending,
  InvitationResendLimit,
  InvitationTokenInvalid,
} from './invitations/errors.ts';
import type {
  FoundingDenied,
  LastOwner,
  MemberNotFound,
  OrganizationNotEmpty,
  OrganizationNotFound,
  OwnSecondFactorMissing,
  PermissionDenied,
} from './organizations/errors.ts';
import type { RuleNotFound } from './rules/errors.ts';
import type {
  ChallengeInvalid,
  InvalidCredentials,
  RefreshTokenInvalid,
  RefreshTokenReused,
  SessionNotFound,
  Unauthenticated,
} from './sessions/errors.ts';
import type { VersionMismatch } from './shared/version.ts';
import type { InvalidInput } from './shared/violation.ts';
import type {
  InvalidVerificationCode,
  TwoFactorAlreadyEnabled,
  TwoFactorEnforced,
  TwoFactorNotEnabled,
  TwoFactorNotPending,
  TwoFactorRequired,
} from './two-factor/errors.ts';
import type { ZoneNotFound } from './zones/errors.ts';

/** Every error with which a use case can refuse a call. Whoever translates them must translate all. */
export type DomainError =
  | AccountInactive
  | AccountNotFound
  | ApiTokenNotFound
  | ChallengeInvalid
  | EmailTaken
  | FoundingDenied
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
  | MailedTokenInvalid
  | MemberNotFound
  | OrganizationNotEmpty
  | OrganizationNotFound
  | OwnSecondFactorMissing
  | PasswordTooCommon
  | PermissionDenied
  | RefreshTokenInvalid
  | RefreshTokenReused
  | RuleNotFound
  | SessionNotFound
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

import type {
  AccountInactive,
  AccountNotFound,
  EmailTaken,
  HashingBusy,
  MailedTokenInvalid,
} from './accounts/errors.ts';
import type { PermissionDenied } from './organizations/errors.ts';
import type { RuleNotFound } from './rules/errors.ts';
import type {
  InvalidCredentials,
  RefreshTokenInvalid,
  RefreshTokenReused,
  Unauthenticated,
} from './sessions/errors.ts';
import type { VersionMismatch } from './shared/version.ts';
import type { InvalidInput } from './shared/violation.ts';
import type { ZoneNotFound } from './zones/errors.ts';

/** Every error with which a use case can refuse a call. Whoever translates them must translate all. */
export type DomainError =
  | AccountInactive
  | AccountNotFound
  | EmailTaken
  | HashingBusy
  | InvalidCredentials
  | InvalidInput
  | MailedTokenInvalid
  | PermissionDenied
  | RefreshTokenInvalid
  | RefreshTokenReused
  | RuleNotFound
  | Unauthenticated
  | VersionMismatch
  | ZoneNotFound;

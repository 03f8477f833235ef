import type { ApiError } from '@zonewright/api-description';
import type { AuditAction, Caller } from '@zonewright/core';

/** Rejected requests that are audited although they change nothing, except those that use cases record themselves. */
const auditedRefusals: Readonly<Partial<Record<ApiError['type'], AuditAction>>> = {
  PermissionDenied: 'access.denied',
  CreationDenied: 'access.denied',
  TwoFactorRequired: 'access.denied',
  ProviderRequired: 'access.denied',
  AttestationRefused: 'login.failed',
  PermissionMissing: 'access.denied',
  ForeignNetwork: 'access.foreignNetwork',
  ReadOnlyToken: 'access.readOnlyWriteRefused',
  SessionRequired: 'access.sessionRequired',
  ForeignOrigin: 'access.foreignOrigin',
  WrongCurrentPassword: 'account.passwordRefused',
  ChallengeInvalid: 'challenge.refused',
  MailedTokenInvalid: 'mailedToken.refused',
  InvitationTokenInvalid: 'mailedToken.refused',
  InvitationForAnother: 'mailedToken.refused',
  TooManyRequests: 'access.limited',
};

/** The audit action for an error, or undefined to record none. */
export function refusalAction(error: ApiError, caller: Caller | undefined): AuditAction | undefined {
  // Without a caller, the code answered a login challenge: the use case has recorded that.
  if (error.type === 'InvalidVerificationCode') return caller && 'twoFactor.codeRefused';
  return auditedRefusals[error.type];
}

/** Accounts: how people sign in, and how operators administer them. */

export * from './accounts/account.ts';
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
export type { OrganizationsNeedOwner } from './administration/erase-user.ts';
export type * from './administration/ports.ts';
export type { Operator } from './administration/record-operator.ts';
export * from './administration/retention.ts';
export * from './api-tokens/api-token.ts';
export type { CreatedApiToken } from './api-tokens/create-api-token.ts';
export * from './api-tokens/errors.ts';
export type * from './api-tokens/ports.ts';
export type { CompletedFlow, FlowReturn } from './identities/complete-flow.ts';
export * from './identities/errors.ts';
export * from './identities/flow.ts';
export * from './identities/identity.ts';
export { noProviders } from './identities/no-providers.ts';
export type { NamedIdentity } from './identities/own-identities.ts';
export { peopleWith } from './identities/people.ts';
export type * from './identities/ports.ts';
export type { StartedFlow } from './identities/start-flow.ts';
export * from './mailing/deliver-next-mail.ts';
export { noticesPerHour } from './mailing/notify.ts';
export type { MailCap } from './mailing/prepare-mail.ts';
export { type PasskeyChallenge, passkeyChallengeSeconds } from './passkeys/challenge.ts';
export * from './passkeys/errors.ts';
export * from './passkeys/passkey.ts';
export type * from './passkeys/ports.ts';
export { AssertionResponse, CreationResponse } from './passkeys/response.ts';
export { PasswordChange } from './passwords/change-password.ts';
export type { PasswordReset } from './passwords/reset-password.ts';
export type { AccountRepositories } from './repositories.ts';
export type { Authenticate, CheckCredential, PresentedCredential } from './sessions/authenticate.ts';
export * from './sessions/challenge.ts';
export * from './sessions/errors.ts';
export type { LogOut, LogOutCredentials } from './sessions/log-out.ts';
export type * from './sessions/ports.ts';
export * from './sessions/session.ts';
export type { CompleteTwoFactor, SecondFactorProof } from './sign-in/complete-two-factor.ts';
export { SessionProof } from './sign-in/confirm-session.ts';
export type { FindChallengedUser } from './sign-in/find-challenged-user.ts';
export { type LoggedIn, Login } from './sign-in/log-in.ts';
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

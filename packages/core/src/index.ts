/** The public surface of the domain: nothing else can be imported from outside. */

export * from './access/caller.ts';
export * from './access/errors.ts';
export { type AccessDenied } from './access/permissions.ts';
export * from './access/role.ts';
export * from './accounts/account.ts';
export * from './accounts/change-password.ts';
export * from './accounts/errors.ts';
export * from './accounts/find-account.ts';
export * from './accounts/password.ts';
export * from './accounts/password-policy.ts';
export type * from './accounts/ports.ts';
export * from './accounts/read-profile.ts';
export * from './accounts/read-user.ts';
export { type Register, register } from './accounts/register.ts';
export * from './accounts/request-mail.ts';
export * from './accounts/reset-password.ts';
export * from './accounts/update-profile.ts';
export * from './accounts/verify-email.ts';
export * from './api-tokens/api-token.ts';
export * from './api-tokens/create-api-token.ts';
export * from './api-tokens/errors.ts';
export * from './api-tokens/list-api-tokens.ts';
export type * from './api-tokens/ports.ts';
export * from './api-tokens/revoke-api-token.ts';
export * from './audit/audit-entry.ts';
export type * from './audit/ports.ts';
export { type RecordRefusal, recordRefusal } from './audit/record.ts';
export { addressKey, BackendAddress, type RequestHostname } from './backends/address.ts';
export * from './backends/backend.ts';
export * from './backends/backend-reference.ts';
export { type BackendUser, maxUsers } from './backends/backend-user.ts';
export * from './backends/create-load-balancer.ts';
export * from './backends/create-origin-server.ts';
export * from './backends/delete-load-balancer.ts';
export * from './backends/delete-origin-server.ts';
export * from './backends/errors.ts';
export * from './backends/list-load-balancers.ts';
export * from './backends/list-origin-servers.ts';
export {
  type BalancingMethod,
  balancingMethods,
  type LoadBalancer,
  LoadBalancerDraft,
  type LoadBalancerOrigin,
  type WrittenLoadBalancer,
} from './backends/load-balancer.ts';
export {
  type OriginProtocol,
  type OriginServer,
  OriginServerDraft,
  originProtocols,
  type WrittenOriginServer,
} from './backends/origin-server.ts';
export type * from './backends/ports.ts';
export * from './backends/read-load-balancer.ts';
export * from './backends/read-origin-server.ts';
export * from './backends/update-load-balancer.ts';
export * from './backends/update-origin-server.ts';
export * from './basic-auth-users/basic-auth-user.ts';
export * from './basic-auth-users/create-basic-auth-user.ts';
export * from './basic-auth-users/delete-basic-auth-user.ts';
export * from './basic-auth-users/errors.ts';
export * from './basic-auth-users/list-basic-auth-users.ts';
export type * from './basic-auth-users/ports.ts';
export * from './basic-auth-users/read-basic-auth-user.ts';
export * from './basic-auth-users/update-basic-auth-user.ts';
export * from './conditions/canonical.ts';
export * from './conditions/conditions.ts';
export type { DomainError } from './errors.ts';
export * from './history/errors.ts';
export type * from './history/ports.ts';
export * from './history/revision.ts';
export type { ZoneDocument } from './history/zone-document.ts';
export * from './idempotency/errors.ts';
export type * from './idempotency/ports.ts';
export * from './invitations/accept-invitation.ts';
export * from './invitations/create-invitation.ts';
export * from './invitations/errors.ts';
export * from './invitations/invitation.ts';
export * from './invitations/list-invitations.ts';
export type * from './invitations/ports.ts';
export * from './invitations/read-invitation.ts';
export * from './invitations/resend-invitation.ts';
export * from './invitations/revoke-invitation.ts';
export type * from './limits/ports.ts';
export * from './limits/standing.ts';
export * from './mail/deliver-next-mail.ts';
export * from './mail/email.ts';
export * from './mail/mail.ts';
export * from './mail/mailed-token.ts';
export { noticesPerHour } from './mail/notify.ts';
export * from './mail/ports.ts';
export type { MailCap } from './mail/prepare-mail.ts';
export * from './organizations/change-member-role.ts';
export * from './organizations/create-organization.ts';
export * from './organizations/delete-organization.ts';
export * from './organizations/errors.ts';
export * from './organizations/list-members.ts';
export * from './organizations/list-organizations.ts';
export * from './organizations/member.ts';
export * from './organizations/organization.ts';
export {
  type CheckOrganizationAccess,
  checkOrganizationAccess,
  type OrganizationAccessError,
} from './organizations/organization-access.ts';
export type * from './organizations/ports.ts';
export * from './organizations/read-audit-log.ts';
export * from './organizations/read-organization.ts';
export * from './organizations/remove-member.ts';
export * from './organizations/update-organization.ts';
export * from './repositories.ts';
export * from './revisions/compare-revisions.ts';
export * from './revisions/list-revisions.ts';
export * from './revisions/read-revision.ts';
export { type RestoreRevision, type RestoreRevisionError, restoreRevision } from './revisions/restore-revision.ts';
export * from './rule-kinds/access-rule.ts';
export * from './rule-kinds/configuration-rule.ts';
export * from './rule-kinds/rewrite-rule.ts';
export * from './rule-kinds/rule.ts';
export * from './rule-kinds/rule-kinds.ts';
export * from './rule-kinds/security-scenario.ts';
export * from './rules/create-rule.ts';
export * from './rules/delete-rule.ts';
export * from './rules/errors.ts';
export * from './rules/list-rules.ts';
export * from './rules/move-rule.ts';
export type * from './rules/ports.ts';
export * from './rules/read-rule.ts';
export * from './rules/replace-rules.ts';
export * from './rules/rule-draft.ts';
export * from './rules/rule-order.ts';
export * from './rules/rule-version.ts';
export type { RuleChange } from './rules/rule-write.ts';
export * from './rules/update-rule.ts';
export * from './sessions/authenticate.ts';
export * from './sessions/challenge.ts';
export * from './sessions/complete-two-factor.ts';
export * from './sessions/end-session.ts';
export * from './sessions/errors.ts';
export * from './sessions/find-challenged.ts';
export * from './sessions/list-sessions.ts';
export * from './sessions/log-in.ts';
export * from './sessions/log-out.ts';
export type * from './sessions/ports.ts';
export * from './sessions/refresh-session.ts';
export * from './sessions/session.ts';
export * from './settings/consistency.ts';
export type { SettingsReferences } from './settings/references.ts';
export * from './settings/settings.ts';
export type * from './shared/client.ts';
export * from './shared/ids.ts';
export * from './shared/json-document.ts';
export * from './shared/merge-patch.ts';
export * from './shared/page.ts';
export * from './shared/parse.ts';
export type * from './shared/randomness.ts';
export type * from './shared/secret-box.ts';
export * from './shared/text.ts';
export type * from './shared/token-hash.ts';
export * from './shared/version.ts';
export * from './shared/violation.ts';
export * from './two-factor/begin-setup.ts';
export * from './two-factor/confirm-setup.ts';
export * from './two-factor/disable-two-factor.ts';
export * from './two-factor/errors.ts';
export type * from './two-factor/ports.ts';
export * from './two-factor/recovery-code.ts';
export * from './two-factor/replace-recovery-codes.ts';
export * from './two-factor/report-second-factor-lock.ts';
export * from './two-factor/two-factor.ts';
export * from './use-cases.ts';
export * from './zones/create-zone.ts';
export * from './zones/delete-zone.ts';
export * from './zones/errors.ts';
export * from './zones/list-zones.ts';
export * from './zones/ports.ts';
export * from './zones/read-zone.ts';
export * from './zones/rotate-ban-token.ts';
export * from './zones/update-zone.ts';
export * from './zones/zone.ts';
export { type CheckZoneAccess, checkZoneAccess, type ZoneAccessError } from './zones/zone-access.ts';

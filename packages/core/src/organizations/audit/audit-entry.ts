import type { Client } from '../../kernel/shared/client.ts';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';

/** The audited actions, by their names in the audit log. */
export const auditActions = [
  'account.registered',
  'account.created',
  'account.emailVerified',
  'account.passwordChanged',
  'account.passwordReset',
  'account.passwordRemoved',
  'account.passwordRefused',
  'account.verificationRequested',
  'account.passwordResetRequested',
  'account.profileChanged',
  'account.emailChangeRequested',
  'account.emailChanged',
  'account.emailChangeUndone',
  'account.blocked',
  'account.unblocked',
  'account.limitsChanged',
  'account.deleted',
  'account.sessionsEnded',
  'mailedToken.refused',
  'session.opened',
  'session.refreshed',
  'session.confirmed',
  'session.confirmationFailed',
  'session.refreshTokenReused',
  'session.ended',
  'login.failed',
  'login.inactive',
  'challenge.issued',
  'challenge.failed',
  'challenge.refused',
  'twoFactor.setupBegun',
  'twoFactor.enabled',
  'twoFactor.disabled',
  'twoFactor.recoveryCodesReplaced',
  'twoFactor.recoveryCodeUsed',
  'twoFactor.codeRefused',
  'identity.linked',
  'identity.unlinked',
  'passkey.added',
  'passkey.renamed',
  'passkey.removed',
  'passkey.counterWentBack',
  'apiToken.created',
  'apiToken.revoked',
  'access.denied',
  'access.limited',
  'access.readOnlyWriteRefused',
  'access.foreignNetwork',
  'access.sessionRequired',
  'access.foreignOrigin',
  'organization.created',
  'organization.changed',
  'organization.deleted',
  'organization.limitsChanged',
  'organization.retentionChanged',
  'member.roleChanged',
  'member.removed',
  'invitation.created',
  'invitation.resent',
  'invitation.revoked',
  'invitation.accepted',
  'domain.added',
  'domain.verified',
  'domain.lapsing',
  'domain.lapsed',
  'domain.removed',
  'edge.added',
  'edge.enrolled',
  'edge.drained',
  'edge.undrained',
  'edge.removed',
  'edge.released',
  'zone.created',
  'zone.changed',
  'zone.hostNamesLost',
  'zone.restored',
  'zone.imported',
  'zone.banTokenRotated',
  'zone.deleted',
  'zone.promoted',
  'zone.undeleted',
  'configurationRule.created',
  'configurationRule.changed',
  'configurationRule.moved',
  'configurationRule.deleted',
  'configurationRule.replaced',
  'rewriteRule.created',
  'rewriteRule.changed',
  'rewriteRule.moved',
  'rewriteRule.deleted',
  'rewriteRule.replaced',
  'accessRule.created',
  'accessRule.changed',
  'accessRule.moved',
  'accessRule.deleted',
  'accessRule.replaced',
  'securityScenario.created',
  'securityScenario.changed',
  'securityScenario.moved',
  'securityScenario.deleted',
  'securityScenario.replaced',
  'basicAuthUser.created',
  'basicAuthUser.changed',
  'basicAuthUser.passwordChanged',
  'basicAuthUser.deleted',
  'changeSet.created',
  'changeSet.changed',
  'changeSet.rebased',
  'changeSet.discarded',
  'changeSet.applied',
  'originServer.created',
  'originServer.changed',
  'originServer.deleted',
  'loadBalancer.created',
  'loadBalancer.changed',
  'loadBalancer.deleted',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** One event. It never contains secrets or request bodies. */
export interface AuditEntry {
  readonly action: AuditAction;
  /** The user who acted, or whose account an attempt targeted, if known. */
  readonly actor: UserId | undefined;
  /** Id of the session or API token used. */
  readonly credential: string | undefined;
  /** The organization whose audit log shows the entry. */
  readonly organization: OrganizationId | undefined;
  /**
   * Ids of the objects, by kind: `{ zone: '…' }`. For a deleted object also its `name`, because the id no longer
   * resolves.
   */
  readonly objects: Readonly<Record<string, string>>;
  readonly client: Client;
}

/** An entry with its id and time, which storage assigns. */
export interface RecordedAuditEntry extends AuditEntry {
  readonly id: string;
  readonly at: Date;
}

import type { Result, ResultAsync } from 'neverthrow';
import { changePassword } from './accounts/change-password.ts';
import { findAccount, readProfile, readUser } from './accounts/read-accounts.ts';
import { register } from './accounts/register.ts';
import { requestMail } from './accounts/request-mail.ts';
import { resetPassword } from './accounts/reset-password.ts';
import { updateProfile } from './accounts/update-profile.ts';
import { verifyEmail } from './accounts/verify-email.ts';
import { confirmAddressChange, requestAddressChange, undoAddressChange } from './address-changes/change-address.ts';
import { createApiToken } from './api-tokens/create-api-token.ts';
import { listApiTokens, revokeApiToken } from './api-tokens/own-api-tokens.ts';
import { concernedOrganization } from './audit/concerned-organization.ts';
import { readAccountLog } from './audit/read-account-log.ts';
import { recordRefusal } from './audit/record.ts';
import { deleteLoadBalancer, deleteOriginServer } from './backends/delete-backend.ts';
import { listLoadBalancers, listOriginServers, readLoadBalancer, readOriginServer } from './backends/read-backends.ts';
import { createLoadBalancer, updateLoadBalancer } from './backends/write-load-balancer.ts';
import { createOriginServer, updateOriginServer } from './backends/write-origin-server.ts';
import { createBasicAuthUser, prepareBasicAuthUser } from './basic-auth-users/create-basic-auth-user.ts';
import { deleteBasicAuthUser } from './basic-auth-users/delete-basic-auth-user.ts';
import { listBasicAuthUsers, readBasicAuthUser } from './basic-auth-users/read-basic-auth-users.ts';
import { updateBasicAuthUser } from './basic-auth-users/update-basic-auth-user.ts';
import { applyChangeSet } from './change-sets/apply-change-set.ts';
import { createChangeSet } from './change-sets/create-change-set.ts';
import { discardChangeSet } from './change-sets/discard-change-set.ts';
import { evaluateChangeSet } from './change-sets/evaluate-change-set.ts';
import { listChangeSets } from './change-sets/list-change-sets.ts';
import { readChangeSet } from './change-sets/read-change-set.ts';
import { rebaseChangeSet } from './change-sets/rebase-change-set.ts';
import { updateChangeSet } from './change-sets/update-change-set.ts';
import { listDeletedZones } from './deleted-zones/list-deleted-zones.ts';
import { readDeletedZone } from './deleted-zones/read-deleted-zone.ts';
import { restoreDeletedZone } from './deleted-zones/restore-deleted-zone.ts';
import { createDomain } from './domains/create-domain.ts';
import { deleteDomain } from './domains/delete-domain.ts';
import { listDomains, readDomain } from './domains/read-domains.ts';
import { lookForRecord, verifyDomain } from './domains/verify-domain.ts';
import { authenticateEdge } from './edges/authenticate-edge.ts';
import { enrolEdge } from './edges/enrol-edge.ts';
import { readChanges, readEdgeDocument, reportEdgeState } from './edges/read-changes.ts';
import { readDelivery } from './edges/zone-delivery.ts';
import { type EvaluationTerms, evaluateRequest } from './evaluation/evaluate-request.ts';
import { compareChangeSet, readChangeSetFindings } from './findings/analyse-change-set.ts';
import { compareBehaviour } from './findings/compare-behaviour.ts';
import type { Analyses } from './findings/ports.ts';
import { readFindings } from './findings/read-findings.ts';
import { completeFlow } from './identities/complete-flow.ts';
import { listIdentities, unlinkIdentity } from './identities/own-identities.ts';
import { redeemCode } from './identities/redeem-code.ts';
import { listProviders, startLink, startSignIn } from './identities/start-flow.ts';
import { acceptInvitation } from './invitations/accept-invitation.ts';
import { listInvitations, readInvitation } from './invitations/read-invitations.ts';
import { revokeInvitation } from './invitations/revoke-invitation.ts';
import { createInvitation, resendInvitation } from './invitations/send-invitation.ts';
import { changeMemberRole, removeMember } from './organizations/change-members.ts';
import { createOrganization } from './organizations/create-organization.ts';
import { deleteOrganization } from './organizations/delete-organization.ts';
import { listMembers, readMember } from './organizations/list-members.ts';
import { checkOrganizationAccess } from './organizations/organization-access.ts';
import { readAuditLog } from './organizations/read-audit-log.ts';
import { listOrganizations, readOrganization } from './organizations/read-organizations.ts';
import { updateOrganization } from './organizations/update-organization.ts';
import { addPasskey, beginPasskey } from './passkeys/add-passkey.ts';
import { listPasskeys, removePasskey, renamePasskey } from './passkeys/own-passkeys.ts';
import { listPromotions } from './promotions/list-promotions.ts';
import { promoteZone } from './promotions/promote-zone.ts';
import { readPromotion } from './promotions/read-promotion.ts';
import type { Dependencies } from './repositories.ts';
import { listBackendRevisions, readBackendRevision } from './revisions/read-backend-revisions.ts';
import { compareRevisions, listRevisions, readRevision } from './revisions/read-revisions.ts';
import { restoreRevision } from './revisions/restore-revision.ts';
import { createRule } from './rules/create-rule.ts';
import { deleteRule } from './rules/delete-rule.ts';
import { moveRule } from './rules/move-rule.ts';
import { listRules, readRule } from './rules/read-rules.ts';
import { replaceRules } from './rules/replace-rules.ts';
import { updateRule } from './rules/update-rule.ts';
import { authenticate, checkCredential } from './sessions/authenticate.ts';
import {
  beginPasskeyChallenge,
  beginPasskeyConfirmation,
  beginPasskeySignIn,
} from './sessions/begin-passkey-sign-in.ts';
import { completeTwoFactor } from './sessions/complete-two-factor.ts';
import { confirmSession } from './sessions/confirm-session.ts';
import { findChallengedUser } from './sessions/find-challenged-user.ts';
import { logIn } from './sessions/log-in.ts';
import { logOut } from './sessions/log-out.ts';
import { endOtherSessions, endSession, listSessions } from './sessions/own-sessions.ts';
import { refreshSession } from './sessions/refresh-session.ts';
import { signInByPasskey } from './sessions/sign-in-by-passkey.ts';
import { lazily } from './shared/lazily.ts';
import { disableTwoFactor } from './two-factor/disable-two-factor.ts';
import { replaceRecoveryCodes } from './two-factor/replace-recovery-codes.ts';
import { reportSecondFactorLock } from './two-factor/report-second-factor-lock.ts';
import { beginSetup, confirmSetup } from './two-factor/set-up.ts';
import { rotateBanToken } from './zone-changes/rotate-ban-token.ts';
import { updateZone } from './zone-changes/update-zone.ts';
import { createZone } from './zones/create-zone.ts';
import { deleteZone } from './zones/delete-zone.ts';
import { listZones } from './zones/list-zones.ts';
import { readZone } from './zones/read-zone.ts';
import { checkZoneAccess } from './zones/zone-access.ts';

/** All ports that use cases depend on; each use case picks those it needs. */
export interface Ports extends Dependencies, EvaluationTerms {
  readonly analyses: Analyses;
  /** Bytes of text of the longest page of rules that is read on this thread; by default any. */
  readonly longestPage?: number | undefined;
}

const factories = {
  // Accounts, sessions, second factors and API tokens
  register,
  verifyEmail,
  requestMail,
  resetPassword,
  readProfile,
  updateProfile,
  changePassword,
  requestAddressChange,
  confirmAddressChange,
  undoAddressChange,
  readAccountLog,
  readUser,
  authenticate,
  checkCredential,
  logIn,
  completeTwoFactor,
  confirmSession,
  findAccount,
  findChallengedUser,
  refreshSession,
  logOut,
  listSessions,
  endSession,
  endOtherSessions,
  listProviders,
  startSignIn,
  completeFlow,
  redeemCode,
  listIdentities,
  startLink,
  unlinkIdentity,
  beginSetup,
  confirmSetup,
  disableTwoFactor,
  replaceRecoveryCodes,
  reportSecondFactorLock,
  beginPasskeySignIn,
  beginPasskeyChallenge,
  beginPasskeyConfirmation,
  signInByPasskey,
  beginPasskey,
  addPasskey,
  listPasskeys,
  renamePasskey,
  removePasskey,
  createApiToken,
  listApiTokens,
  revokeApiToken,

  // Organizations, their members and their backends
  listOrganizations,
  createOrganization,
  readOrganization,
  updateOrganization,
  deleteOrganization,
  checkOrganizationAccess,
  listMembers,
  readMember,
  changeMemberRole,
  removeMember,
  readAuditLog,
  recordRefusal,
  concernedOrganization,
  listInvitations,
  createInvitation,
  readInvitation,
  resendInvitation,
  revokeInvitation,
  acceptInvitation,
  listOriginServers,
  createOriginServer,
  readOriginServer,
  updateOriginServer,
  deleteOriginServer,
  listLoadBalancers,
  createLoadBalancer,
  readLoadBalancer,
  updateLoadBalancer,
  deleteLoadBalancer,
  listBackendRevisions,
  readBackendRevision,
  listDomains,
  createDomain,
  readDomain,
  lookForRecord,
  verifyDomain,
  deleteDomain,

  // Zones and everything in them
  listZones,
  createZone,
  readZone,
  deleteZone,
  updateZone,
  rotateBanToken,
  checkZoneAccess,
  listRules,
  createRule,
  readRule,
  updateRule,
  deleteRule,
  moveRule,
  replaceRules,
  listBasicAuthUsers,
  prepareBasicAuthUser,
  createBasicAuthUser,
  readBasicAuthUser,
  updateBasicAuthUser,
  deleteBasicAuthUser,
  listRevisions,
  readRevision,
  compareRevisions,
  restoreRevision,
  listDeletedZones,
  readDeletedZone,
  restoreDeletedZone,
  evaluateRequest,
  readFindings,
  compareBehaviour,
  readChangeSetFindings,
  compareChangeSet,

  // Change sets of zones
  listChangeSets,
  createChangeSet,
  readChangeSet,
  updateChangeSet,
  discardChangeSet,
  rebaseChangeSet,
  applyChangeSet,
  evaluateChangeSet: (ports: Ports) => evaluateChangeSet({ ...ports, evaluateRequest: evaluateRequest(ports) }),
  promoteZone,
  listPromotions,
  readPromotion,

  // Edges, and what they have of zones
  enrolEdge,
  authenticateEdge,
  readChanges,
  readEdgeDocument,
  reportEdgeState,
  readDelivery,
};

/** Use cases made by factories, as far as these need no other ports than `P`. */
export type Wired<Factories extends Record<string, (ports: never) => unknown>, P> = {
  readonly [Name in keyof Factories as P extends Parameters<Factories[Name]>[0] ? Name : never]: ReturnType<
    Factories[Name]
  >;
};

/** The use cases that need no other ports than `P`. */
export type UseCasesWith<P> = Wired<typeof factories, P>;

/** All use cases by name, as adapters receive them. */
export type UseCases = UseCasesWith<Ports>;

type ErrorOf<UseCase> = UseCase extends (...input: never) => Result<unknown, infer E> | ResultAsync<unknown, infer E>
  ? E
  : never;

/** Every error of a use case. A table that maps errors to responses must cover all of them. */
export type DomainError = { [Name in keyof UseCases]: ErrorOf<UseCases[Name]> }[keyof UseCases];

/**
 * The use cases by name, wired to the given ports: all of them with all ports, otherwise those that need no others. Each
 * is made when it is first used, so it is cheap to wire them for each request. `deliverNextMail` is not included: it
 * belongs to the mail worker and also needs a mailer.
 */
export const useCases = <P extends Partial<Ports>>(ports: P): UseCasesWith<P> =>
  // The result names only those that find their ports in `P`.
  wire(ports as unknown as Ports) as unknown as UseCasesWith<P>;

const wire = lazily<Ports, UseCases>(factories);

import type { Result, ResultAsync } from 'neverthrow';
import { changePassword } from './accounts/accounts/change-password.ts';
import { findAccount, readProfile, readUser } from './accounts/accounts/read-accounts.ts';
import { register } from './accounts/accounts/register.ts';
import { requestMail } from './accounts/accounts/request-mail.ts';
import { resetPassword } from './accounts/accounts/reset-password.ts';
import { updateProfile } from './accounts/accounts/update-profile.ts';
import { verifyEmail } from './accounts/accounts/verify-email.ts';
import {
  confirmAddressChange,
  requestAddressChange,
  undoAddressChange,
} from './accounts/address-changes/change-address.ts';
import { createApiToken } from './accounts/api-tokens/create-api-token.ts';
import { listApiTokens, revokeApiToken } from './accounts/api-tokens/own-api-tokens.ts';
import type { AccountDependencies } from './accounts/dependencies.ts';
import { completeFlow } from './accounts/identities/complete-flow.ts';
import { listIdentities, unlinkIdentity } from './accounts/identities/own-identities.ts';
import { redeemCode } from './accounts/identities/redeem-code.ts';
import { listProviders, startLink, startSignIn } from './accounts/identities/start-flow.ts';
import { addPasskey, beginPasskey } from './accounts/passkeys/add-passkey.ts';
import { listPasskeys, removePasskey, renamePasskey } from './accounts/passkeys/own-passkeys.ts';
import type { AccountRepositories } from './accounts/repositories.ts';
import { authenticate, checkCredential } from './accounts/sessions/authenticate.ts';
import {
  beginPasskeyChallenge,
  beginPasskeyConfirmation,
  beginPasskeySignIn,
} from './accounts/sessions/begin-passkey-sign-in.ts';
import { completeTwoFactor } from './accounts/sessions/complete-two-factor.ts';
import { confirmSession } from './accounts/sessions/confirm-session.ts';
import { findChallengedUser } from './accounts/sessions/find-challenged-user.ts';
import { logIn } from './accounts/sessions/log-in.ts';
import { logOut } from './accounts/sessions/log-out.ts';
import { endOtherSessions, endSession, listSessions } from './accounts/sessions/own-sessions.ts';
import { refreshSession } from './accounts/sessions/refresh-session.ts';
import { signInByPasskey } from './accounts/sessions/sign-in-by-passkey.ts';
import { disableTwoFactor } from './accounts/two-factor/disable-two-factor.ts';
import { replaceRecoveryCodes } from './accounts/two-factor/replace-recovery-codes.ts';
import { reportSecondFactorLock } from './accounts/two-factor/report-second-factor-lock.ts';
import { beginSetup, confirmSetup } from './accounts/two-factor/set-up.ts';
import type { DeliveryDependencies } from './delivery/dependencies.ts';
import { authenticateEdge } from './delivery/edges/authenticate-edge.ts';
import { enrolEdge } from './delivery/edges/enrol-edge.ts';
import { readChanges, readEdgeDocument, reportEdgeState } from './delivery/edges/read-changes.ts';
import { readDelivery } from './delivery/edges/zone-delivery.ts';
import type { DeliveryRepositories } from './delivery/repositories.ts';
import type { DomainStorage } from './domain-storage.ts';
import { lazily } from './kernel/shared/lazily.ts';
import { readAccountLog } from './organizations/audit/read-account-log.ts';
import { recordRefusal } from './organizations/audit/record.ts';
import { deleteLoadBalancer, deleteOriginServer } from './organizations/backends/delete-backend.ts';
import {
  listLoadBalancers,
  listOriginServers,
  readLoadBalancer,
  readOriginServer,
} from './organizations/backends/read-backends.ts';
import { createLoadBalancer, updateLoadBalancer } from './organizations/backends/write-load-balancer.ts';
import { createOriginServer, updateOriginServer } from './organizations/backends/write-origin-server.ts';
import { createDomain } from './organizations/domains/create-domain.ts';
import { deleteDomain } from './organizations/domains/delete-domain.ts';
import { listDomains, readDomain } from './organizations/domains/read-domains.ts';
import { lookForRecord, verifyDomain } from './organizations/domains/verify-domain.ts';
import { acceptInvitation } from './organizations/invitations/accept-invitation.ts';
import { listInvitations, readInvitation } from './organizations/invitations/read-invitations.ts';
import { revokeInvitation } from './organizations/invitations/revoke-invitation.ts';
import { createInvitation, resendInvitation } from './organizations/invitations/send-invitation.ts';
import { changeMemberRole, removeMember } from './organizations/organizations/change-members.ts';
import { createOrganization } from './organizations/organizations/create-organization.ts';
import { deleteOrganization } from './organizations/organizations/delete-organization.ts';
import { listMembers, readMember } from './organizations/organizations/list-members.ts';
import { checkOrganizationAccess } from './organizations/organizations/organization-access.ts';
import { readAuditLog } from './organizations/organizations/read-audit-log.ts';
import { listOrganizations, readOrganization } from './organizations/organizations/read-organizations.ts';
import { updateOrganization } from './organizations/organizations/update-organization.ts';
import { applyChangeSet } from './review/change-sets/apply-change-set.ts';
import { createChangeSet } from './review/change-sets/create-change-set.ts';
import { discardChangeSet } from './review/change-sets/discard-change-set.ts';
import { evaluateChangeSet } from './review/change-sets/evaluate-change-set.ts';
import { listChangeSets } from './review/change-sets/list-change-sets.ts';
import { readChangeSet } from './review/change-sets/read-change-set.ts';
import { rebaseChangeSet } from './review/change-sets/rebase-change-set.ts';
import { updateChangeSet } from './review/change-sets/update-change-set.ts';
import type { ReviewDependencies } from './review/dependencies.ts';
import { compareChangeSet, readChangeSetFindings } from './review/findings/analyse-change-set.ts';
import { compareBehaviour } from './review/findings/compare-behaviour.ts';
import type { Analyses } from './review/findings/ports.ts';
import { readFindings } from './review/findings/read-findings.ts';
import { listPromotions } from './review/promotions/list-promotions.ts';
import { promoteZone } from './review/promotions/promote-zone.ts';
import { readPromotion } from './review/promotions/read-promotion.ts';
import type { ReviewRepositories } from './review/repositories.ts';
import { createBasicAuthUser, prepareBasicAuthUser } from './zones/basic-auth-users/create-basic-auth-user.ts';
import { deleteBasicAuthUser } from './zones/basic-auth-users/delete-basic-auth-user.ts';
import { listBasicAuthUsers, readBasicAuthUser } from './zones/basic-auth-users/read-basic-auth-users.ts';
import { updateBasicAuthUser } from './zones/basic-auth-users/update-basic-auth-user.ts';
import { listDeletedZones } from './zones/deleted-zones/list-deleted-zones.ts';
import { readDeletedZone } from './zones/deleted-zones/read-deleted-zone.ts';
import { restoreDeletedZone } from './zones/deleted-zones/restore-deleted-zone.ts';
import { type EvaluationTerms, evaluateRequest } from './zones/evaluation/evaluate-request.ts';
import { listBackendRevisions, readBackendRevision } from './zones/revisions/read-backend-revisions.ts';
import { compareRevisions, listRevisions, readRevision } from './zones/revisions/read-revisions.ts';
import { restoreRevision } from './zones/revisions/restore-revision.ts';
import { createRule } from './zones/rules/create-rule.ts';
import { deleteRule } from './zones/rules/delete-rule.ts';
import { moveRule } from './zones/rules/move-rule.ts';
import { listRules, readRule } from './zones/rules/read-rules.ts';
import { replaceRules } from './zones/rules/replace-rules.ts';
import { updateRule } from './zones/rules/update-rule.ts';
import { rotateBanToken } from './zones/zone-changes/rotate-ban-token.ts';
import { updateZone } from './zones/zone-changes/update-zone.ts';
import { concernedOrganization } from './zones/zones/concerned-organization.ts';
import { createZone } from './zones/zones/create-zone.ts';
import { deleteZone } from './zones/zones/delete-zone.ts';
import { listZones } from './zones/zones/list-zones.ts';
import { readZone } from './zones/zones/read-zone.ts';
import { checkZoneAccess } from './zones/zones/zone-access.ts';

/** The repositories of all contexts, which only adapters and applications see together. */
export type Repositories = AccountRepositories & ReviewRepositories & DeliveryRepositories;

type Dependencies = AccountDependencies & ReviewDependencies & DeliveryDependencies;

/** All ports that use cases depend on; each use case picks those it needs. */
export interface Ports extends Omit<Dependencies, 'unitOfWork'>, EvaluationTerms {
  readonly unitOfWork: DomainStorage;
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

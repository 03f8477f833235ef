/** The public surface of the contracts: tests that every storage adapter must pass unchanged. */
import type { Repositories } from '@zonewright/core';
import { accountBlocksContract } from './accounts/account-blocks.ts';
import { accountErasuresContract } from './accounts/account-erasures.ts';
import { accountsContract } from './accounts/accounts.ts';
import { addressChangesContract } from './accounts/address-changes.ts';
import { apiTokensContract } from './accounts/api-tokens.ts';
import { challengesContract } from './accounts/challenges.ts';
import { credentialsContract } from './accounts/credentials.ts';
import { directoryContract } from './accounts/directory.ts';
import { identitiesContract, spentStatesContract, unverifiedAccountsContract } from './accounts/identities.ts';
import { mailedTokensContract } from './accounts/mailed-tokens.ts';
import { passkeyChallengesContract, passkeysContract } from './accounts/passkeys.ts';
import { refreshTokensContract } from './accounts/refresh-tokens.ts';
import { retentionsContract } from './accounts/retentions.ts';
import { sessionsContract } from './accounts/sessions.ts';
import { signInsContract } from './accounts/sign-ins.ts';
import { twoFactorsContract } from './accounts/two-factors.ts';
import { userLimitsContract } from './accounts/user-limits.ts';
import { edgeFeedContract } from './delivery/edge-feed.ts';
import { edgeStatesContract, edgesContract } from './delivery/edges.ts';
import { rolloutsContract } from './delivery/rollouts.ts';
import { zoneCredentialsContract } from './delivery/zone-credentials.ts';
import { outboxContract } from './kernel/outbox.ts';
import { auditLogContract } from './organizations/audit-log.ts';
import { backendRacesContract } from './organizations/backend-races.ts';
import { backendsContract } from './organizations/backends.ts';
import { domainChecksContract, domainsContract } from './organizations/domains.ts';
import { invitationTokensContract } from './organizations/invitation-tokens.ts';
import { invitationsContract } from './organizations/invitations.ts';
import { limitOverridesContract } from './organizations/limit-overrides.ts';
import { loadBalancersContract } from './organizations/load-balancers.ts';
import { membersContract } from './organizations/members.ts';
import { membershipsContract } from './organizations/memberships.ts';
import { organizationsContract } from './organizations/organizations.ts';
import { originServersContract } from './organizations/origin-servers.ts';
import { peopleContract } from './organizations/people.ts';
import { changeSetsContract } from './review/change-sets.ts';
import { promotionsContract } from './review/promotions.ts';
import type { OpenStorage } from './storage.ts';
import { storageQuotasContract } from './storage-quotas.ts';
import { storageSessionContract } from './storage-session.ts';
import { unitOfWorkContract } from './unit-of-work.ts';
import { backendHistoryContract } from './zones/backend-history.ts';
import { basicAuthUsersContract } from './zones/basic-auth-users.ts';
import { deletedZonesContract } from './zones/deleted-zones.ts';
import { entityTagsContract } from './zones/entity-tags.ts';
import { hostNamesContract } from './zones/host-names.ts';
import { pageSizeContract } from './zones/page-sizes.ts';
import { readsDuringWritesContract } from './zones/reads-during-writes.ts';
import { rulesContract } from './zones/rules.ts';
import { zoneChangesContract } from './zones/zone-changes.ts';
import { zoneHistoryContract } from './zones/zone-history.ts';
import { zonesContract } from './zones/zones.ts';

export { sessionSequencesContract } from './accounts/session-sequences.ts';
export { type ExpiringStorage, expiryContract, type StoredCounts } from './expiry.ts';
export { idempotencyContract, type KeyedStorage, type OpenKeyedStorage } from './kernel/idempotency.ts';
export type { LimiterStorage, OpenLimiterStorage } from './kernel/rate-limiter/budgets.ts';
export { rateLimiterContract } from './kernel/rate-limiter.ts';
export { openMemoryLimiter, openMemoryStorage } from './memory-storage.ts';
export { analysesContract } from './review/analyses.ts';
export type { Changes, OpenStorage, Storage } from './storage.ts';

type Contract = (adapter: string, open: OpenStorage) => void;

/** One suite per storage port, to run separately while an adapter is being written. */
export const portContracts: Readonly<Record<keyof Repositories, Contract>> = {
  accounts: accountsContract,
  credentials: credentialsContract,
  accountBlocks: accountBlocksContract,
  accountErasures: accountErasuresContract,
  directory: directoryContract,
  retentions: retentionsContract,
  addressChanges: addressChangesContract,
  mailedTokens: mailedTokensContract,
  sessions: sessionsContract,
  signIns: signInsContract,
  refreshTokens: refreshTokensContract,
  challenges: challengesContract,
  twoFactors: twoFactorsContract,
  identities: identitiesContract,
  spentStates: spentStatesContract,
  unverifiedAccounts: unverifiedAccountsContract,
  passkeys: passkeysContract,
  passkeyChallenges: passkeyChallengesContract,
  apiTokens: apiTokensContract,
  organizations: organizationsContract,
  limitOverrides: limitOverridesContract,
  userLimits: userLimitsContract,
  storageQuotas: storageQuotasContract,
  members: membersContract,
  memberships: membershipsContract,
  people: peopleContract,
  invitations: invitationsContract,
  invitationTokens: invitationTokensContract,
  domains: domainsContract,
  domainChecks: domainChecksContract,
  zones: zonesContract,
  zoneChanges: zoneChangesContract,
  deletedZones: deletedZonesContract,
  history: zoneHistoryContract,
  rules: rulesContract,
  basicAuthUsers: basicAuthUsersContract,
  backends: backendsContract,
  originServers: originServersContract,
  loadBalancers: loadBalancersContract,
  backendHistory: backendHistoryContract,
  changeSets: changeSetsContract,
  promotions: promotionsContract,
  outbox: outboxContract,
  auditLog: auditLogContract,
  edges: edgesContract,
  edgeStates: edgeStatesContract,
  edgeFeed: edgeFeedContract,
  rollouts: rolloutsContract,
  zoneCredentials: zoneCredentialsContract,
};

/** Guarantees across several ports. */
const commonContracts: readonly Contract[] = [
  unitOfWorkContract,
  storageSessionContract,
  pageSizeContract,
  entityTagsContract,
  readsDuringWritesContract,
  backendRacesContract,
  hostNamesContract,
];

/**
 * Registers the contracts of all storage ports with mocha. `open` must return empty storage that no other test uses.
 */
export function storageContract(adapter: string, open: OpenStorage): void {
  for (const contract of [...commonContracts, ...Object.values(portContracts)]) contract(adapter, open);
}

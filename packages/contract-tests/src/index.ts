/** The public surface of the contracts: tests that every storage adapter must pass unchanged. */
import type { Repositories } from '@zonewright/core';
import { accountBlocksContract } from './account-blocks.ts';
import { accountsContract } from './accounts.ts';
import { addressChangesContract } from './address-changes.ts';
import { apiTokensContract } from './api-tokens.ts';
import { auditLogContract } from './audit-log.ts';
import { backendHistoryContract } from './backend-history.ts';
import { backendRacesContract } from './backend-races.ts';
import { backendsContract } from './backends.ts';
import { basicAuthUsersContract } from './basic-auth-users.ts';
import { challengesContract } from './challenges.ts';
import { changeSetsContract } from './change-sets.ts';
import { credentialsContract } from './credentials.ts';
import { deletedZonesContract } from './deleted-zones.ts';
import { directoryContract } from './directory.ts';
import { domainLooksContract, domainsContract } from './domains.ts';
import { edgeFeedContract } from './edge-feed.ts';
import { edgeStatesContract, edgesContract } from './edges.ts';
import { entityTagsContract } from './entity-tags.ts';
import { hostNamesContract } from './host-names.ts';
import { identitiesContract, spentStatesContract, unverifiedAccountsContract } from './identities.ts';
import { invitationTokensContract } from './invitation-tokens.ts';
import { invitationsContract } from './invitations.ts';
import { limitOverridesContract } from './limit-overrides.ts';
import { loadBalancersContract } from './load-balancers.ts';
import { mailedTokensContract } from './mailed-tokens.ts';
import { membersContract } from './members.ts';
import { membershipsContract } from './memberships.ts';
import { organizationsContract } from './organizations.ts';
import { originServersContract } from './origin-servers.ts';
import { outboxContract } from './outbox.ts';
import { pageSizeContract } from './page-sizes.ts';
import { passkeyChallengesContract, passkeysContract } from './passkeys.ts';
import { promotionsContract } from './promotions.ts';
import { readsDuringWritesContract } from './reads-during-writes.ts';
import { refreshTokensContract } from './refresh-tokens.ts';
import { retentionsContract } from './retentions.ts';
import { rolloutsContract } from './rollouts.ts';
import { rulesContract } from './rules.ts';
import { sessionsContract } from './sessions.ts';
import { signInsContract } from './sign-ins.ts';
import type { OpenStorage } from './storage.ts';
import { storageQuotasContract } from './storage-quotas.ts';
import { storageSessionContract } from './storage-session.ts';
import { twoFactorsContract } from './two-factors.ts';
import { unitOfWorkContract } from './unit-of-work.ts';
import { userLimitsContract } from './user-limits.ts';
import { zoneChangesContract } from './zone-changes.ts';
import { zoneCredentialsContract } from './zone-credentials.ts';
import { zoneHistoryContract } from './zone-history.ts';
import { zonesContract } from './zones.ts';

export { analysesContract } from './analyses.ts';
export { type ExpiringStorage, expiryContract, type StoredCounts } from './expiry.ts';
export { idempotencyContract, type KeyedStorage, type OpenKeyedStorage } from './idempotency.ts';
export { openMemoryLimiter, openMemoryStorage } from './memory-storage.ts';
export type { LimiterStorage, OpenLimiterStorage } from './rate-limiter/budgets.ts';
export { rateLimiterContract } from './rate-limiter.ts';
export {
  expectSessionsAsModelled,
  type SessionAccounts,
  type SessionOperations,
  type TokenPair,
} from './session-model.ts';
export { sessionSequencesContract } from './session-sequences.ts';
export type { Changes, OpenStorage, Storage } from './storage.ts';

type Contract = (adapter: string, open: OpenStorage) => void;

/** One suite per storage port, to run separately while an adapter is being written. */
export const portContracts: Readonly<Record<keyof Repositories, Contract>> = {
  accounts: accountsContract,
  credentials: credentialsContract,
  accountBlocks: accountBlocksContract,
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
  invitations: invitationsContract,
  invitationTokens: invitationTokensContract,
  domains: domainsContract,
  domainLooks: domainLooksContract,
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

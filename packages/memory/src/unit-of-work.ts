import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type CombinedUnits,
  type DomainStorage,
  defaultUsageLimits,
  type HostNameRules,
  lazily,
  limitsInForce,
  type PlausibleCredential,
  peopleWith,
  type Repositories,
  type StorageSession,
  strictHostNameRules,
  type UsageLimits,
} from '@zonewright/core';
import { okAsync, type Result, ResultAsync } from 'neverthrow';
import { memoryAccountBlocks, memoryAccounts, memoryCredentials } from './accounts/accounts.ts';
import { memoryAddressChanges } from './accounts/address-changes.ts';
import { memoryApiTokens } from './accounts/api-tokens.ts';
import { callerBy } from './accounts/callers.ts';
import { memoryChallenges } from './accounts/challenges.ts';
import { memoryDirectory } from './accounts/directory.ts';
import { memoryAccountErasures } from './accounts/erasures.ts';
import { memoryIdentities, memorySpentStates, memoryUnverifiedAccounts } from './accounts/identities.ts';
import { memoryMailedTokens } from './accounts/mailed-tokens.ts';
import { memoryPasskeyChallenges, memoryPasskeys } from './accounts/passkeys.ts';
import { memoryRefreshTokens } from './accounts/refresh-tokens.ts';
import { memoryRetentions } from './accounts/retentions.ts';
import { memorySessions } from './accounts/sessions.ts';
import { memorySignIns } from './accounts/sign-ins.ts';
import { memoryTwoFactors } from './accounts/two-factors.ts';
import { memoryEdgeFeed, memoryRollouts, memoryZoneCredentials } from './delivery/edge-feed.ts';
import { memoryEdgeStates, memoryEdges } from './delivery/edges.ts';
import { memoryOutbox } from './kernel/outbox.ts';
import { memoryAuditLog } from './organizations/audit-log.ts';
import { memoryBackendHistory } from './organizations/backend-history.ts';
import { memoryBackends } from './organizations/backends.ts';
import { memoryDomainChecks, memoryDomains } from './organizations/domains.ts';
import { memoryInvitations, memoryInvitationTokens } from './organizations/invitations.ts';
import { memoryLimitOverrides, memoryUserLimits } from './organizations/limit-overrides.ts';
import { memoryLoadBalancers } from './organizations/load-balancers.ts';
import { memoryMembers } from './organizations/members.ts';
import { memoryMemberships } from './organizations/memberships.ts';
import { memoryOrganizations } from './organizations/organizations.ts';
import { memoryOriginServers } from './organizations/origin-servers.ts';
import { memoryStorageQuotas } from './organizations/storage-quotas.ts';
import { memoryChangeSets } from './review/change-sets.ts';
import { memoryPromotions } from './review/promotions.ts';
import { draftOf, Tables, type Unit } from './tables/tables.ts';
import { memoryBasicAuthUsers } from './zones/basic-auth-users.ts';
import { memoryDeletedZones } from './zones/deleted-zones.ts';
import { memoryZoneHistory } from './zones/history.ts';
import { memoryRules } from './zones/rules.ts';
import { memoryZoneChanges } from './zones/zone-changes.ts';
import { memoryZones } from './zones/zones.ts';

/**
 * Storage in memory with the guarantees of a database: units run one after another, each on a copy of the tables, which
 * replaces the originals when the unit ends in Ok.
 */
export class MemoryUnitOfWork implements DomainStorage, CombinedUnits {
  readonly #now: () => Date;
  readonly #limits: UsageLimits;
  readonly #hostNameRules: HostNameRules;
  readonly #limitsWith: Unit['limitsWith'];
  readonly #tables = new Tables();
  /** The enclosing unit. */
  readonly #whole = new AsyncLocalStorage<Unit>();
  #commits = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** `limits` are the operator's. */
  constructor({
    now = () => new Date(),
    limits = defaultUsageLimits,
    hostNameRules = strictHostNameRules,
  }: { readonly now?: () => Date; readonly limits?: UsageLimits; readonly hostNameRules?: HostNameRules } = {}) {
    this.#now = now;
    this.#limits = limits;
    this.#hostNameRules = hostNameRules;
    this.#limitsWith = limitsInForce(limits);
  }

  run<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    const whole = this.#whole.getStore();
    if (whole === undefined) return this.#inTurn((unit) => work(repositoriesOn(unit)));
    return new ResultAsync(partOf(whole, work));
  }

  single<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    return this.run(work);
  }

  view<T, E>(read: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    const unit = this.#whole.getStore() ?? this.#committed();
    const result = async () => read(repositoriesOn(unit));
    return new ResultAsync(result());
  }

  /** Reads nothing ahead: memory has no round trips to save. */
  session(credential: PlausibleCredential): StorageSession {
    return {
      caller: () =>
        callerBy(this.#whole.getStore() ?? this.#committed(), credential).asyncAndThen((caller) => okAsync(caller)),
      run: (work) => this.run(work),
      single: (work) => this.single(work),
      view: (read) => this.view(read),
      session: (other) => this.session(other),
    };
  }

  /**
   * Like `run`, for work that runs its own units one after another: they become parts of this one, and are committed or
   * rolled back with it.
   */
  atomically<T, E>(work: (unit: Unit) => ResultAsync<T, E>): ResultAsync<T, E> {
    return this.#inTurn((unit) => this.#whole.run(unit, () => work(unit)));
  }

  /** Reads what is committed. */
  look<T, E>(read: (unit: Unit) => Result<T, E>): ResultAsync<T, E> {
    return new ResultAsync(Promise.resolve(read(this.#committed())));
  }

  /** Changes stored rows directly, for tests that need a state no use case leads to. */
  arrange(change: (tables: Tables) => void): void {
    change(this.#tables);
  }

  #inTurn<T, E>(work: (unit: Unit) => ResultAsync<T, E>): ResultAsync<T, E> {
    const arrivedAfter = this.#commits;
    const done = this.#last.then(async () => {
      const draft = draftOf(this.#tables);
      const result = await work(this.#unit(draft.tables, arrivedAfter));
      if (result.isOk()) {
        draft.commit();
        this.#commits += 1;
      }
      return result;
    });
    this.#last = done.catch(() => undefined);
    return new ResultAsync(done);
  }

  #committed(): Unit {
    return this.#unit(this.#tables, this.#commits);
  }

  #unit(tables: Tables, arrivedAfter: number): Unit {
    // As in a database, the time of a unit is when it began.
    const began = this.#now();
    return {
      tables,
      now: () => began,
      limits: this.#limits,
      hostNameRules: this.#hostNameRules,
      limitsWith: this.#limitsWith,
      arrivedAfter,
      commit: this.#commits + 1,
    };
  }
}

/** Runs work on a copy of the unit's tables, which replaces them if it ends in Ok. */
async function partOf<T, E>(
  unit: Unit,
  work: (repositories: Repositories) => ResultAsync<T, E>,
): Promise<Result<T, E>> {
  const draft = draftOf(unit.tables);
  const result = await work(repositoriesOn({ ...unit, tables: draft.tables }));
  if (result.isOk()) draft.commit();
  return result;
}

const repositoriesOn = lazily<Unit, Repositories>({
  accounts: memoryAccounts,
  credentials: memoryCredentials,
  accountBlocks: memoryAccountBlocks,
  accountErasures: memoryAccountErasures,
  directory: memoryDirectory,
  retentions: memoryRetentions,
  addressChanges: memoryAddressChanges,
  mailedTokens: memoryMailedTokens,
  sessions: memorySessions,
  signIns: memorySignIns,
  refreshTokens: memoryRefreshTokens,
  challenges: memoryChallenges,
  twoFactors: memoryTwoFactors,
  identities: memoryIdentities,
  spentStates: memorySpentStates,
  unverifiedAccounts: memoryUnverifiedAccounts,
  passkeys: memoryPasskeys,
  passkeyChallenges: memoryPasskeyChallenges,
  apiTokens: memoryApiTokens,
  organizations: memoryOrganizations,
  limitOverrides: memoryLimitOverrides,
  userLimits: memoryUserLimits,
  storageQuotas: memoryStorageQuotas,
  members: memoryMembers,
  memberships: memoryMemberships,
  people: (unit) => peopleWith({ accounts: memoryAccounts(unit), identities: memoryIdentities(unit) }),
  invitations: memoryInvitations,
  invitationTokens: memoryInvitationTokens,
  domains: memoryDomains,
  domainChecks: memoryDomainChecks,
  zones: memoryZones,
  zoneChanges: memoryZoneChanges,
  deletedZones: memoryDeletedZones,
  history: memoryZoneHistory,
  rules: memoryRules,
  basicAuthUsers: memoryBasicAuthUsers,
  backends: memoryBackends,
  originServers: memoryOriginServers,
  loadBalancers: memoryLoadBalancers,
  backendHistory: memoryBackendHistory,
  changeSets: memoryChangeSets,
  promotions: memoryPromotions,
  outbox: memoryOutbox,
  auditLog: memoryAuditLog,
  edges: memoryEdges,
  edgeStates: memoryEdgeStates,
  edgeFeed: memoryEdgeFeed,
  rollouts: memoryRollouts,
  zoneCredentials: memoryZoneCredentials,
});

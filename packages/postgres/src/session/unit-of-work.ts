import {
  type CombinedUnits,
  type DomainStorage,
  defaultUsageLimits,
  type HostNameRules,
  lazily,
  type MemoryReservation,
  type PlausibleCredential,
  peopleWith,
  type Repositories,
  type SessionOptions,
  type StorageSession,
  type Subject,
  strictHostNameRules,
  type UsageLimits,
  type UserId,
} from '@zonewright/core';
import { type Result, ResultAsync } from 'neverthrow';
import {
  postgresAccountBlocks,
  postgresAccountErasures,
  postgresAccounts,
  postgresCredentials,
} from '../accounts/accounts.ts';
import { postgresAddressChanges } from '../accounts/address-changes.ts';
import { postgresApiTokens } from '../accounts/api-tokens.ts';
import { postgresChallenges } from '../accounts/challenges.ts';
import { postgresDirectory } from '../accounts/directory.ts';
import { postgresIdentities, postgresSpentStates, postgresUnverifiedAccounts } from '../accounts/identities.ts';
import { postgresMailedTokens } from '../accounts/mailed-tokens.ts';
import { postgresPasskeyChallenges, postgresPasskeys } from '../accounts/passkeys.ts';
import { postgresRefreshTokens } from '../accounts/refresh-tokens.ts';
import { postgresRetentions } from '../accounts/retention.ts';
import { postgresSessions } from '../accounts/sessions.ts';
import { postgresSignIns } from '../accounts/sign-ins.ts';
import { postgresTwoFactors } from '../accounts/two-factors.ts';
import type { Connection, Database } from '../connection/database.ts';
import { storageFailure } from '../connection/failures.ts';
import type { Reserve } from '../connection/long-texts.ts';
import {
  ambientTransaction,
  inSingleStatement,
  inTransaction,
  undoable,
  withinTransaction,
} from '../connection/transaction.ts';
import { postgresEdgeFeed, postgresRollouts, postgresZoneCredentials } from '../delivery/edge-feed.ts';
import { postgresEdgeStates, postgresEdges } from '../delivery/edges.ts';
import { postgresOutbox } from '../kernel/outbox.ts';
import type { SecretBoxes } from '../kernel/secret-boxes.ts';
import { postgresAuditLog } from '../organizations/audit-log.ts';
import { postgresBackendHistory } from '../organizations/backend-history.ts';
import { postgresBackends } from '../organizations/backends.ts';
import { postgresDomainChecks, postgresDomains } from '../organizations/domains.ts';
import { postgresInvitations, postgresInvitationTokens } from '../organizations/invitations.ts';
import { postgresLimitOverrides, postgresUserLimits } from '../organizations/limit-overrides.ts';
import { type StoredLimits, storedLimits } from '../organizations/limits.ts';
import { postgresLoadBalancers } from '../organizations/load-balancers.ts';
import { postgresMembers } from '../organizations/members.ts';
import { postgresMemberships } from '../organizations/memberships.ts';
import { postgresOrganizations } from '../organizations/organizations.ts';
import { postgresOriginServers } from '../organizations/origin-servers.ts';
import { postgresStorageQuotas } from '../organizations/storage-quotas.ts';
import { ReadAheadSlot } from '../read-ahead.ts';
import { postgresChangeSets } from '../review/change-sets.ts';
import { postgresPromotions } from '../review/promotions.ts';
import { postgresBasicAuthUsers } from '../zones/basic-auth-users.ts';
import { postgresDeletedZones } from '../zones/deleted-zones.ts';
import { postgresZoneHistory } from '../zones/history.ts';
import { postgresRules } from '../zones/rules.ts';
import { type ZoneCache, zoneCache } from '../zones/zone-cache.ts';
import { postgresZoneChanges } from '../zones/zone-changes.ts';
import type { StateSources } from '../zones/zone-states.ts';
import { postgresZones } from '../zones/zones.ts';
import { readWithCaller } from './read-with-caller.ts';

/** Storage settings of the operator. */
export interface StorageOptions {
  /**
   * Cache size of a process: bytes of zone texts, the same again for zones with nested objects, and a quarter for pages
   * of lists.
   */
  readonly memoryBytes?: number;
  /** The installation's limits; default limits if omitted. */
  readonly limits?: UsageLimits;
  /** The installation's rules for host names; strict ones if omitted. */
  readonly hostNameRules?: HostNameRules;
}

/** Storage in PostgreSQL at READ COMMITTED: locks and conditional statements settle every race. */
export class PostgresUnitOfWork implements DomainStorage, CombinedUnits {
  readonly #database: Database;
  readonly #boxes: SecretBoxes;
  readonly #limits: StoredLimits;
  readonly #hostNameRules: HostNameRules;
  readonly #cache: ZoneCache;

  constructor(
    database: Database,
    boxes: SecretBoxes,
    { memoryBytes, limits = defaultUsageLimits, hostNameRules = strictHostNameRules }: StorageOptions = {},
  ) {
    this.#database = database;
    this.#boxes = boxes;
    this.#limits = storedLimits(limits);
    this.#hostNameRules = hostNameRules;
    this.#cache = zoneCache(memoryBytes);
  }

  run<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    const outer = ambientTransaction(this.#database);
    const unit = (transaction: Connection) => work(repositoriesOn(this.#placeOn(transaction)));
    return new ResultAsync(outer === undefined ? inTransaction(this.#database, unit) : undoable(outer, unit));
  }

  single<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    const outer = ambientTransaction(this.#database);
    const unit = (connection: Connection) => work(repositoriesOn(this.#placeOn(connection)));
    return new ResultAsync(outer === undefined ? inSingleStatement(this.#database, unit) : undoable(outer, unit));
  }

  view<T, E>(read: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E> {
    return this.#viewed((place) => read(repositoriesOn(place)));
  }

  /** What the credential's holder asks about is read along with them; units that write see only what is current. */
  session(credential: PlausibleCredential, subject?: Subject, { memory }: SessionOptions = {}): StorageSession {
    const ahead = new ReadAheadSlot();
    let holder: UserId | undefined;
    const reserveFor = memory && reservingIn(memory, () => holder);
    return {
      caller: () =>
        this.#viewed((place) => readWithCaller({ ...place, reserveFor }, credential, subject)).map(
          ({ caller, ahead: read }) => {
            ahead.keep(read);
            holder = caller.userId;
            return caller;
          },
        ),
      view: (read) => this.#viewed((place) => read(repositoriesOn({ ...place, ahead, reserveFor }))),
      run: (work) => {
        ahead.forget();
        return this.run(work);
      },
      single: (work) => {
        ahead.forget();
        return this.single(work);
      },
      session: (other, about, options) => this.session(other, about, options),
    };
  }

  atomically<T, E>(work: () => ResultAsync<T, E>): ResultAsync<T, E> {
    const database = this.#database;
    return new ResultAsync(
      inTransaction(database, (transaction) => withinTransaction({ database, transaction }, work)),
    );
  }

  #viewed<T, E>(read: (place: Place) => ResultAsync<T, E>): ResultAsync<T, E> {
    const outer = ambientTransaction(this.#database);
    if (outer === undefined) {
      return new ResultAsync(withStorageFailures(() => read(this.#placeOn(this.#database))));
    }
    return read(this.#placeOn(outer));
  }

  #placeOn(connection: Connection): Place {
    const [boxes, cache, limits, hostNameRules] = [this.#boxes, this.#cache, this.#limits, this.#hostNameRules];
    return { connection, boxes, cache, limits, hostNameRules, ahead: new ReadAheadSlot() };
  }
}

/** The result, with failures of the database translated. */
async function withStorageFailures<T, E>(read: () => ResultAsync<T, E>): Promise<Result<T, E>> {
  try {
    return await read();
  } catch (failure) {
    throw storageFailure(failure);
  }
}

/** Reserves for the given user, or else for the holder of the session's credential. */
const reservingIn =
  (memory: MemoryReservation, holder: () => UserId | undefined) =>
  (user = holder()): Reserve =>
    user && ((bytes) => memory.reserve(user, bytes));

/** The dependencies of a unit's repositories. */
interface Place {
  readonly connection: Connection;
  readonly boxes: SecretBoxes;
  readonly cache: ZoneCache;
  readonly limits: StoredLimits;
  readonly hostNameRules: HostNameRules;
  readonly ahead: ReadAheadSlot;
  readonly reserveFor?: StateSources['reserveFor'];
}

/** Creates the repositories of a unit. */
const repositoriesOn = lazily<Place, Repositories>({
  accounts: ({ connection, ahead }) => postgresAccounts(connection, ahead),
  credentials: ({ connection }) => postgresCredentials(connection),
  accountBlocks: ({ connection }) => postgresAccountBlocks(connection),
  accountErasures: ({ connection }) => postgresAccountErasures(connection),
  directory: ({ connection, limits }) => postgresDirectory(connection, limits),
  retentions: ({ connection }) => postgresRetentions(connection),
  addressChanges: ({ connection }) => postgresAddressChanges(connection),
  mailedTokens: ({ connection }) => postgresMailedTokens(connection),
  sessions: ({ connection }) => postgresSessions(connection),
  signIns: ({ connection }) => postgresSignIns(connection),
  refreshTokens: ({ connection }) => postgresRefreshTokens(connection),
  challenges: ({ connection }) => postgresChallenges(connection),
  twoFactors: ({ connection, boxes }) => postgresTwoFactors(connection, boxes.totp),
  identities: ({ connection }) => postgresIdentities(connection),
  spentStates: ({ connection }) => postgresSpentStates(connection),
  unverifiedAccounts: ({ connection }) => postgresUnverifiedAccounts(connection),
  passkeys: ({ connection }) => postgresPasskeys(connection),
  passkeyChallenges: ({ connection }) => postgresPasskeyChallenges(connection),
  apiTokens: ({ connection, limits }) => postgresApiTokens(connection, limits),
  organizations: ({ connection, limits }) => postgresOrganizations(connection, limits),
  limitOverrides: ({ connection }) => postgresLimitOverrides(connection),
  userLimits: ({ connection, limits }) => postgresUserLimits(connection, limits),
  storageQuotas: ({ connection, limits }) => postgresStorageQuotas(connection, limits),
  members: ({ connection }) => postgresMembers(connection),
  memberships: ({ connection }) => postgresMemberships(connection),
  people: ({ connection, ahead }) =>
    peopleWith({ accounts: postgresAccounts(connection, ahead), identities: postgresIdentities(connection) }),
  invitations: ({ connection }) => postgresInvitations(connection),
  invitationTokens: ({ connection }) => postgresInvitationTokens(connection),
  domains: ({ connection }) => postgresDomains(connection),
  domainChecks: ({ connection }) => postgresDomainChecks(connection),
  zones: ({ connection: on, cache, boxes: { banTokens }, limits, ahead, reserveFor }) =>
    postgresZones({ on, cache, banTokens, ahead, reserveFor }, limits),
  zoneChanges: ({ connection: on, cache, boxes: { banTokens }, limits, hostNameRules, ahead, reserveFor }) =>
    postgresZoneChanges({ on, cache, banTokens, limits, hostNameRules, ahead, reserveFor }),
  deletedZones: ({ connection, boxes: { banTokens }, reserveFor }) =>
    postgresDeletedZones(connection, banTokens, reserveFor?.(undefined)),
  history: ({ connection, reserveFor }) => postgresZoneHistory(connection, reserveFor?.(undefined)),
  rules: ({ connection, reserveFor }) => postgresRules(connection, reserveFor?.(undefined)),
  basicAuthUsers: ({ connection }) => postgresBasicAuthUsers(connection),
  backends: ({ connection }) => postgresBackends(connection),
  originServers: ({ connection }) => postgresOriginServers(connection),
  loadBalancers: ({ connection }) => postgresLoadBalancers(connection),
  backendHistory: ({ connection }) => postgresBackendHistory(connection),
  changeSets: ({ connection, reserveFor }) => postgresChangeSets(connection, reserveFor?.(undefined)),
  promotions: ({ connection, reserveFor }) => postgresPromotions(connection, reserveFor?.(undefined)),
  outbox: ({ connection, boxes }) => postgresOutbox(connection, boxes.outbox),
  auditLog: ({ connection }) => postgresAuditLog(connection),
  edges: ({ connection }) => postgresEdges(connection),
  edgeStates: ({ connection }) => postgresEdgeStates(connection),
  edgeFeed: ({ connection, cache }) => postgresEdgeFeed(connection, cache),
  rollouts: ({ connection }) => postgresRollouts(connection),
  zoneCredentials: ({ connection }) => postgresZoneCredentials(connection),
});

import type { ResultAsync } from 'neverthrow';
import type { AuthenticatedCaller, CallerError, PlausibleCredential } from './organizations/access/credential.ts';
import type { PasswordBlocklist } from './accounts/accounts/password-policy.ts';
import type { Accounts, Credentials, MailedTokens, PasswordHashes } from './accounts/accounts/ports.ts';
import type { AddressChanges } from './accounts/address-changes/ports.ts';
import type { AccountBlocks, AccountLimits, Directory, Retentions } from './accounts/administration/ports.ts';
import type { ApiTokens } from './accounts/api-tokens/ports.ts';
import type { AuditLog } from './organizations/audit/ports.ts';
import type { OriginNetworks } from './organizations/backends/address.ts';
import type { Backends, LoadBalancers, OriginServers } from './organizations/backends/ports.ts';
import type { BasicAuthPasswordHashes, BasicAuthUsers } from './zones/basic-auth-users/ports.ts';
import type { ChangeSets } from './review/change-sets/ports.ts';
import type { DeletedZones } from './zones/deleted-zones/ports.ts';
import type { Dns } from './organizations/domains/dns.ts';
import type { HostNameRules } from './organizations/domains/host-name-rules.ts';
import type { DomainLooks, Domains } from './organizations/domains/ports.ts';
import type { EdgeFeed, EdgeStates, Edges, Publications, Rollouts, ZoneCredentials } from './delivery/edges/ports.ts';
import type { BackendHistory, ZoneHistory } from './zones/history/ports.ts';
import type { Identities, SealedFlows, SignInProviders, SpentStates, UnverifiedAccounts } from './accounts/identities/ports.ts';
import type { Invitations, InvitationTokens } from './organizations/invitations/ports.ts';
import type { Outbox } from './kernel/mail/ports.ts';
import type { LimitOverrides, Members, Memberships, Organizations, StorageQuotas } from './organizations/organizations/ports.ts';
import type { PasskeyCeremonies, PasskeyChallenges, Passkeys } from './accounts/passkeys/ports.ts';
import type { Promotions } from './review/promotions/ports.ts';
import type { Rules } from './zones/rules/ports.ts';
import type { AccessTokens, Challenges, RefreshTokens, Sessions, SignIns } from './accounts/sessions/ports.ts';
import type { UserId, ZoneId } from './kernel/shared/ids.ts';
import type { Randomness } from './kernel/shared/randomness.ts';
import type { Sha256 } from './kernel/shared/sha256.ts';
import type { TokenHashes } from './kernel/shared/token-hash.ts';
import type { OneTimeCodes, QrCodes, RecoveryCodeHashes, TwoFactors } from './accounts/two-factor/ports.ts';
import type { ZoneChanges } from './zones/zone-changes/ports.ts';
import type { ListZonesQuery, Zones } from './zones/zones/ports.ts';

/** All repositories, as one unit of work sees them. */
export interface Repositories {
  readonly accounts: Accounts;
  readonly credentials: Credentials;
  readonly accountBlocks: AccountBlocks;
  readonly directory: Directory;
  readonly retentions: Retentions;
  readonly mailedTokens: MailedTokens;
  readonly addressChanges: AddressChanges;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
  readonly refreshTokens: RefreshTokens;
  readonly challenges: Challenges;
  readonly twoFactors: TwoFactors;
  readonly identities: Identities;
  readonly spentStates: SpentStates;
  readonly unverifiedAccounts: UnverifiedAccounts;
  readonly passkeys: Passkeys;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly apiTokens: ApiTokens;
  readonly organizations: Organizations;
  readonly limitOverrides: LimitOverrides;
  readonly userLimits: AccountLimits;
  readonly storageQuotas: StorageQuotas;
  readonly members: Members;
  readonly memberships: Memberships;
  readonly invitations: Invitations;
  readonly invitationTokens: InvitationTokens;
  readonly domains: Domains;
  readonly domainLooks: DomainLooks;
  readonly zones: Zones;
  readonly zoneChanges: ZoneChanges;
  readonly deletedZones: DeletedZones;
  readonly history: ZoneHistory;
  readonly rules: Rules;
  readonly basicAuthUsers: BasicAuthUsers;
  readonly backends: Backends;
  readonly originServers: OriginServers;
  readonly loadBalancers: LoadBalancers;
  readonly backendHistory: BackendHistory;
  readonly changeSets: ChangeSets;
  readonly promotions: Promotions;
  readonly outbox: Outbox;
  readonly auditLog: AuditLog;
  readonly edges: Edges;
  readonly edgeStates: EdgeStates;
  readonly edgeFeed: EdgeFeed;
  readonly rollouts: Rollouts;
  readonly zoneCredentials: ZoneCredentials;
}

/**
 * Access to storage.
 *
 * All times come from the storage's clock: ports take lifetimes and delays, never the current time. A failure that no
 * caller can act on (lost connection, defect) is a rejection; `StorageUnavailable` is the transient one.
 */
export interface UnitOfWork {
  /**
   * Runs `work` atomically: commits when it resolves to Ok, rolls back when it resolves to Err, and rolls back and
   * rethrows when it rejects. Units must not be nested. `work` may be retried after a conflict with another unit, so it
   * must have no side effects besides its writes.
   */
  run<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E>;
  /**
   * Like `run`, for a single call of a method that is already atomic, so storage can skip the transaction. A method
   * that resolves to Err must have written nothing.
   */
  single<T, E>(work: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E>;
  /** Runs reads without a transaction: each sees what is committed when it runs. `read` must not write. */
  view<T, E>(read: (repositories: Repositories) => ResultAsync<T, E>): ResultAsync<T, E>;
  /** Opens storage for one request of the credential's holder. Reads nothing yet. */
  session(credential: PlausibleCredential, subject?: Subject, options?: SessionOptions): StorageSession;
}

/** What a request gives its storage. */
export interface SessionOptions {
  /** Where long texts are read; without it, at once. */
  readonly room?: Room;
  /** Told the milliseconds of each long step that the request causes: a statement, or the computing that follows it. */
  readonly onWork?: (milliseconds: number) => void;
}

/** Memory for the long texts that one request reads outside transactions. */
export interface Room {
  /** Waits until so many bytes may be read for the user. A rejection, if they do not fit, ends the read. */
  reserve(user: UserId, bytes: number): Promise<void>;
}

/**
 * What a request is about, as far as its address says. It changes no result: storage may read it along with the caller,
 * so that the use case finds it there.
 */
export type Subject =
  /** The caller's own profile. */
  | { readonly kind: 'profile' }
  /** A zone that is read. */
  | { readonly kind: 'zone'; readonly id: ZoneId }
  /** A zone that is changed, or something in it. */
  | { readonly kind: 'zone change'; readonly id: ZoneId }
  /** A page of the zones that the caller may list. */
  | { readonly kind: 'zone list'; readonly query: ListZonesQuery };

/**
 * Storage for one request: the units of work of its caller. What it reads ahead is used at most once and never after a
 * unit has written, so that its reads are as current as the request.
 */
export interface StorageSession extends UnitOfWork {
  /**
   * The holder of the credential with all memberships that it grants, as of now. Records the use of an API token at
   * most once a minute. `Unauthenticated`: the session has ended or expired, the token is revoked or expired, or the
   * account is not active. `ForeignNetwork`: the token is not for use from its address; that is no use of it.
   */
  caller(): ResultAsync<AuthenticatedCaller, CallerError>;
}

/** Storage that can combine several units of work into one. */
export interface CombinedUnits {
  /**
   * Runs the units that `work` starts as parts of one unit: commits when `work` resolves to Ok and rolls everything
   * back otherwise.
   */
  atomically<T, E>(work: () => ResultAsync<T, E>): ResultAsync<T, E>;
}

/** What use cases are made from: storage, cryptography, chance, names and networks. Each picks those it needs. */
export interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly passwords: PasswordHashes;
  readonly blocklist: PasswordBlocklist;
  readonly accessTokens: AccessTokens;
  readonly randomness: Randomness;
  readonly tokenHashes: TokenHashes;
  readonly sha256: Sha256;
  readonly oneTimeCodes: OneTimeCodes;
  readonly qrCodes: QrCodes;
  readonly passkeyCeremonies: PasskeyCeremonies;
  readonly recoveryCodeHashes: RecoveryCodeHashes;
  readonly basicAuthPasswords: BasicAuthPasswordHashes;
  readonly signInProviders: SignInProviders;
  readonly sealedFlows: SealedFlows;
  readonly dns: Dns;
  readonly hostNameRules: HostNameRules;
  readonly publications: Publications;
  readonly originNetworks: OriginNetworks;
}

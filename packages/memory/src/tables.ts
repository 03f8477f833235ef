import {
  type ApiTokenId,
  type BackendId,
  type BasicAuthUserId,
  type ChangeSetId,
  type DomainId,
  type EdgeId,
  type HostNameRules,
  type IdentityId,
  type InvitationId,
  type LoadBalancer,
  lazily,
  type Notice,
  type OrganizationId,
  type OrganizationLimits,
  type OriginServer,
  type PasskeyId,
  type PromotionId,
  type QueuedMail,
  type RecordedAuditEntry,
  type RuleId,
  type SessionId,
  type TokenHash,
  type UsageLimits,
  type UserId,
  type ZoneId,
} from '@zonewright/core';
import type {
  AddressChangeRow,
  ApiTokenRow,
  ChallengeRow,
  IdentityRow,
  MailedTokenRow,
  PasskeyChallengeRow,
  PasskeyRow,
  RecoveryCodeRow,
  RefreshTokenRow,
  SessionRow,
  TwoFactorRow,
  UserRow,
} from './account-rows.ts';
import type { ChangeSetRow, PromotionRow } from './change-set-rows.ts';
import type { DomainRow } from './domain-rows.ts';
import type { EdgeDocumentRow, EdgeRow, EdgeStateRow, EdgeZoneRow, PublicationRow } from './edge-rows.ts';
import type { InvitationRow, OrganizationRow } from './organization-rows.ts';
import type {
  BackendRevisionRow,
  BasicAuthUserRow,
  DeletedZoneRow,
  RevisionRow,
  RuleRow,
  ZoneRow,
} from './zone-rows.ts';

/** A queued mail; its content is removed once it is sent or given up. */
export interface OutboxRow {
  readonly mail: QueuedMail['mail'] | undefined;
  readonly priority: number;
  /** The recipient and kind of a notice. */
  readonly user: UserId | undefined;
  readonly notice: Notice | undefined;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly dueAt: Date;
  /** When it was sent or given up. */
  readonly doneAt: Date | undefined;
}

/** A stored response, as JSON. */
export interface IdempotencyKeyRow {
  readonly fingerprint: string;
  readonly answer: string;
  readonly createdAt: Date;
}

/** All stored data. Rows are immutable; a unit of work changes its own copy of the maps. */
export interface Tables {
  readonly users: Map<UserId, UserRow>;
  readonly mailedTokens: Map<TokenHash, MailedTokenRow>;
  readonly addressChanges: Map<TokenHash, AddressChangeRow>;
  readonly sessions: Map<SessionId, SessionRow>;
  /** The networks a user signed in from, with the last time. */
  readonly signInNetworks: Map<UserId, ReadonlyMap<string, Date>>;
  readonly refreshTokens: Map<TokenHash, RefreshTokenRow>;
  readonly challenges: Map<TokenHash, ChallengeRow>;
  readonly twoFactors: Map<UserId, TwoFactorRow>;
  readonly identities: Map<IdentityId, IdentityRow>;
  readonly spentStates: Map<TokenHash, { readonly expiresAt: Date }>;
  readonly passkeys: Map<PasskeyId, PasskeyRow>;
  readonly passkeyChallenges: Map<TokenHash, PasskeyChallengeRow>;
  readonly recoveryCodes: Map<UserId, readonly RecoveryCodeRow[]>;
  readonly apiTokens: Map<ApiTokenId, ApiTokenRow>;
  readonly organizations: Map<OrganizationId, OrganizationRow>;
  /** The highest id ever assigned: ids of removed organizations are not reused. */
  readonly lastIds: Map<'organization', number>;
  readonly invitations: Map<InvitationId, InvitationRow>;
  readonly originServers: Map<BackendId, OriginServer>;
  readonly loadBalancers: Map<BackendId, LoadBalancer>;
  readonly domains: Map<DomainId, DomainRow>;
  readonly zones: Map<ZoneId, ZoneRow>;
  readonly rules: Map<RuleId, RuleRow>;
  /** The revisions of lists that have ever been written, by zone and kind. */
  readonly ruleLists: Map<string, number>;
  readonly basicAuthUsers: Map<BasicAuthUserId, BasicAuthUserRow>;
  readonly deletedZones: Map<ZoneId, DeletedZoneRow>;
  /** Oldest first; including deleted zones. */
  readonly revisions: Map<ZoneId, readonly RevisionRow[]>;
  /** Oldest first; including deleted backends. */
  readonly backendRevisions: Map<BackendId, readonly BackendRevisionRow[]>;
  readonly changeSets: Map<ChangeSetId, ChangeSetRow>;
  readonly promotions: Map<PromotionId, PromotionRow>;
  readonly outbox: Map<string, OutboxRow>;
  readonly auditLog: Map<string, RecordedAuditEntry>;
  readonly edges: Map<EdgeId, EdgeRow>;
  readonly edgeStates: Map<EdgeId, EdgeStateRow>;
  /** By zone and stage. */
  readonly edgeZones: Map<string, EdgeZoneRow>;
  /** By digest. */
  readonly edgeDocuments: Map<string, EdgeDocumentRow>;
  /** Oldest first. */
  readonly publications: Map<number, PublicationRow>;
  /** The commit up to which zones are published. */
  readonly feedMarks: Map<'published', number>;
  /** Keyed by scope and key. */
  readonly idempotencyKeys: Map<string, IdempotencyKeyRow>;
}

/** Empty storage. */
export const emptyTables = (): Tables => ({
  users: new Map(),
  mailedTokens: new Map(),
  addressChanges: new Map(),
  sessions: new Map(),
  signInNetworks: new Map(),
  refreshTokens: new Map(),
  challenges: new Map(),
  twoFactors: new Map(),
  identities: new Map(),
  spentStates: new Map(),
  passkeys: new Map(),
  passkeyChallenges: new Map(),
  recoveryCodes: new Map(),
  apiTokens: new Map(),
  organizations: new Map(),
  lastIds: new Map(),
  invitations: new Map(),
  originServers: new Map(),
  loadBalancers: new Map(),
  domains: new Map(),
  zones: new Map(),
  rules: new Map(),
  ruleLists: new Map(),
  basicAuthUsers: new Map(),
  deletedZones: new Map(),
  revisions: new Map(),
  backendRevisions: new Map(),
  changeSets: new Map(),
  promotions: new Map(),
  outbox: new Map(),
  auditLog: new Map(),
  edges: new Map(),
  edgeStates: new Map(),
  edgeZones: new Map(),
  edgeDocuments: new Map(),
  publications: new Map(),
  feedMarks: new Map(),
  idempotencyKeys: new Map(),
});

type CopyOf = (name: keyof Tables) => unknown;

// `Object.keys` loses the type of the names.
const tableNames = Object.keys(emptyTables()) as readonly (keyof Tables)[];

const copiedTables = lazily<CopyOf, Tables>(
  // A maker for each of the tables, which is their name.
  Object.fromEntries(tableNames.map((name) => [name, (copyOf: CopyOf) => copyOf(name)])) as {
    readonly [Name in keyof Tables]: (copyOf: CopyOf) => Tables[Name];
  },
);

/** A copy of tables to work on, and how to replace the originals by it. */
export interface Draft {
  readonly tables: Tables;
  readonly commit: () => void;
}

/** A draft of the tables. Rows are immutable, so copies share them; a table is copied when it is first used. */
export function draftOf(tables: Tables): Draft {
  const replacements: (() => void)[] = [];
  const copyOf = <K, V>(rows: Map<K, V>): Map<K, V> => {
    const copy = new Map(rows);
    replacements.push(() => replaceRows(rows, copy));
    return copy;
  };
  return {
    tables: copiedTables((name) => copyOf<unknown, unknown>(tables[name])),
    commit: () => replacements.forEach((replace) => replace()),
  };
}

/** Replaces the contents of a table. The map itself stays the same, so readers see the change at once. */
function replaceRows<K, V>(rows: Map<K, V>, others: ReadonlyMap<K, V>): void {
  rows.clear();
  for (const [key, row] of others) rows.set(key, row);
}

/** The context of a repository: the unit's tables, its clock, and its position among the commits. */
export interface Unit {
  readonly tables: Tables;
  readonly now: () => Date;
  /** The operator's limits. */
  readonly limits: UsageLimits;
  /** The installation's rules for host names. */
  readonly hostNameRules: HostNameRules;
  /** The limits in force, given an organization's own. */
  readonly limitsWith: (own: OrganizationLimits | undefined) => UsageLimits;
  /** Number of commits before the unit was requested. */
  readonly arrivedAfter: number;
  /** The number of this unit's commit. */
  readonly commit: number;
}

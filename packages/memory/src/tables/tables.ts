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
export class Tables {
  readonly users: Map<UserId, UserRow> = new Map();
  readonly mailedTokens: Map<TokenHash, MailedTokenRow> = new Map();
  readonly addressChanges: Map<TokenHash, AddressChangeRow> = new Map();
  readonly sessions: Map<SessionId, SessionRow> = new Map();
  /** The networks a user signed in from, with the last time. */
  readonly signInNetworks: Map<UserId, ReadonlyMap<string, Date>> = new Map();
  readonly refreshTokens: Map<TokenHash, RefreshTokenRow> = new Map();
  readonly challenges: Map<TokenHash, ChallengeRow> = new Map();
  readonly twoFactors: Map<UserId, TwoFactorRow> = new Map();
  readonly identities: Map<IdentityId, IdentityRow> = new Map();
  readonly spentStates: Map<TokenHash, { readonly expiresAt: Date }> = new Map();
  readonly passkeys: Map<PasskeyId, PasskeyRow> = new Map();
  readonly passkeyChallenges: Map<TokenHash, PasskeyChallengeRow> = new Map();
  readonly recoveryCodes: Map<UserId, readonly RecoveryCodeRow[]> = new Map();
  readonly apiTokens: Map<ApiTokenId, ApiTokenRow> = new Map();
  readonly organizations: Map<OrganizationId, OrganizationRow> = new Map();
  /** The highest id ever assigned: ids of removed organizations are not reused. */
  readonly lastIds: Map<'organization', number> = new Map();
  readonly invitations: Map<InvitationId, InvitationRow> = new Map();
  readonly originServers: Map<BackendId, OriginServer> = new Map();
  readonly loadBalancers: Map<BackendId, LoadBalancer> = new Map();
  readonly domains: Map<DomainId, DomainRow> = new Map();
  readonly zones: Map<ZoneId, ZoneRow> = new Map();
  readonly rules: Map<RuleId, RuleRow> = new Map();
  /** The revisions of lists that have ever been written, by zone and kind. */
  readonly ruleLists: Map<string, number> = new Map();
  readonly basicAuthUsers: Map<BasicAuthUserId, BasicAuthUserRow> = new Map();
  readonly deletedZones: Map<ZoneId, DeletedZoneRow> = new Map();
  /** Oldest first; including deleted zones. */
  readonly revisions: Map<ZoneId, readonly RevisionRow[]> = new Map();
  /** Oldest first; including deleted backends. */
  readonly backendRevisions: Map<BackendId, readonly BackendRevisionRow[]> = new Map();
  readonly changeSets: Map<ChangeSetId, ChangeSetRow> = new Map();
  readonly promotions: Map<PromotionId, PromotionRow> = new Map();
  readonly outbox: Map<string, OutboxRow> = new Map();
  readonly auditLog: Map<string, RecordedAuditEntry> = new Map();
  readonly edges: Map<EdgeId, EdgeRow> = new Map();
  readonly edgeStates: Map<EdgeId, EdgeStateRow> = new Map();
  /** By zone and stage. */
  readonly edgeZones: Map<string, EdgeZoneRow> = new Map();
  /** By digest. */
  readonly edgeDocuments: Map<string, EdgeDocumentRow> = new Map();
  /** Oldest first. */
  readonly publications: Map<number, PublicationRow> = new Map();
  /**
   * The last commit known to publishing, the last that may have changed zones, and for each zone the last that may have
   * changed it when it was published.
   */
  readonly feedMarks: Map<'seen' | 'changed' | ZoneId, number> = new Map();
  /** Keyed by scope and key. */
  readonly idempotencyKeys: Map<string, IdempotencyKeyRow> = new Map();
}

type CopyOf = (name: keyof Tables) => unknown;

// `Object.keys` loses the type of the names.
const tableNames = Object.keys(new Tables()) as readonly (keyof Tables)[];

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

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
  readonly users = new Map<UserId, UserRow>();
  readonly mailedTokens = new Map<TokenHash, MailedTokenRow>();
  readonly addressChanges = new Map<TokenHash, AddressChangeRow>();
  readonly sessions = new Map<SessionId, SessionRow>();
  /** The networks a user signed in from, with the last time. */
  readonly signInNetworks = new Map<UserId, ReadonlyMap<string, Date>>();
  readonly refreshTokens = new Map<TokenHash, RefreshTokenRow>();
  readonly challenges = new Map<TokenHash, ChallengeRow>();
  readonly twoFactors = new Map<UserId, TwoFactorRow>();
  readonly identities = new Map<IdentityId, IdentityRow>();
  readonly spentStates = new Map<TokenHash, { readonly expiresAt: Date }>();
  readonly passkeys = new Map<PasskeyId, PasskeyRow>();
  readonly passkeyChallenges = new Map<TokenHash, PasskeyChallengeRow>();
  readonly recoveryCodes = new Map<UserId, readonly RecoveryCodeRow[]>();
  readonly apiTokens = new Map<ApiTokenId, ApiTokenRow>();
  readonly organizations = new Map<OrganizationId, OrganizationRow>();
  /** The highest id ever assigned: ids of removed organizations are not reused. */
  readonly lastIds = new Map<'organization', number>();
  readonly invitations = new Map<InvitationId, InvitationRow>();
  readonly originServers = new Map<BackendId, OriginServer>();
  readonly loadBalancers = new Map<BackendId, LoadBalancer>();
  readonly domains = new Map<DomainId, DomainRow>();
  readonly zones = new Map<ZoneId, ZoneRow>();
  readonly rules = new Map<RuleId, RuleRow>();
  /** The revisions of lists that have ever been written, by zone and kind. */
  readonly ruleLists = new Map<string, number>();
  readonly basicAuthUsers = new Map<BasicAuthUserId, BasicAuthUserRow>();
  readonly deletedZones = new Map<ZoneId, DeletedZoneRow>();
  /** Oldest first; including deleted zones. */
  readonly revisions = new Map<ZoneId, readonly RevisionRow[]>();
  /** Oldest first; including deleted backends. */
  readonly backendRevisions = new Map<BackendId, readonly BackendRevisionRow[]>();
  readonly changeSets = new Map<ChangeSetId, ChangeSetRow>();
  readonly promotions = new Map<PromotionId, PromotionRow>();
  readonly outbox = new Map<string, OutboxRow>();
  readonly auditLog = new Map<string, RecordedAuditEntry>();
  readonly edges = new Map<EdgeId, EdgeRow>();
  readonly edgeStates = new Map<EdgeId, EdgeStateRow>();
  /** By zone and stage. */
  readonly edgeZones = new Map<string, EdgeZoneRow>();
  /** By digest. */
  readonly edgeDocuments = new Map<string, EdgeDocumentRow>();
  /** Oldest first. */
  readonly publications = new Map<number, PublicationRow>();
  /** The commit up to which zones are published. */
  readonly feedMarks = new Map<'published', number>();
  /** Keyed by scope and key. */
  readonly idempotencyKeys = new Map<string, IdempotencyKeyRow>();
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

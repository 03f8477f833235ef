import type { RejectedDocument } from '@zonewright/edge-protocol';
import type { ResultAsync } from 'neverthrow';
import type { BasicAuthUserId, EdgeId, OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import type { HostName } from '../../organizations/domains/dns-names.ts';
import type { EnvironmentTag, Zone } from '../../zones/zones/zone.ts';
import type { Edge, EdgeIdentity, EdgeName, EdgeScope, EdgeStage } from './edge.ts';
import type { EdgeState, StateReport } from './edge-state.ts';
import type {
  EdgeDocumentNotFound,
  EdgeKeyInUse,
  EdgeNameTaken,
  EdgeNotFound,
  EnrolmentTokenInvalid,
} from './errors.ts';
import type { FeedPosition } from './position.ts';

/** An edge with its last report. */
export interface ListedEdge extends Edge {
  readonly state: EdgeState | undefined;
}

/** An edge to add. */
export interface NewEdge extends EdgeIdentity {
  readonly tokenHash: TokenHash;
  readonly lifetimeSeconds: number;
}

/** Edges by their keys. */
export type EdgesByKey = ReadonlyMap<TokenHash, EdgeIdentity>;

/** The edges of the installation; tokens and keys are stored as hashes. */
export interface Edges {
  /** Adds an edge that can enrol with the token for `lifetimeSeconds`. */
  add(edge: NewEdge): ResultAsync<Edge, EdgeNameTaken>;
  /** All, ordered by name. */
  list(): ResultAsync<readonly ListedEdge[], never>;
  byName(name: EdgeName): ResultAsync<ListedEdge, EdgeNotFound>;
  /** Exchanges an enrolment token for a key: of any number of concurrent calls, one gets it. */
  enrol(token: TokenHash, key: TokenHash): ResultAsync<Pick<Edge, 'id' | 'name'>, EnrolmentTokenInvalid>;
  /** Those of the keys that are keys of edges. */
  byKeys(keys: readonly TokenHash[]): ResultAsync<EdgesByKey, never>;
  drain(name: EdgeName, isDraining: boolean): ResultAsync<void, EdgeNotFound>;
  /** Removes an edge with its state; its key opens nothing from then on. */
  remove(name: EdgeName): ResultAsync<void, EdgeNotFound>;
}

/** An edge that serves a zone, as far as its delivery is concerned. */
export interface ServingEdge {
  readonly name: EdgeName;
  readonly stage: EdgeStage;
  /** Whether it has reported lately. */
  readonly isConnected: boolean;
  /** Everything up to this number has been applied or rejected. */
  readonly applied: number;
  /** Of this zone. */
  readonly rejected: RejectedDocument | undefined;
  /** Names of settings that it cannot act on. */
  readonly unsupportedSettings: readonly string[];
}

/** What edges report about themselves. */
export interface EdgeStates {
  /**
   * Replaces the state of an edge. `EdgeKeyInUse`: another process has reported with its key within `claimSeconds`. Of
   * zones that a canary edge serves, it is noted when it has applied a change, and a change that it rejects is halted.
   */
  record(edge: EdgeId, report: StateReport, claimSeconds: number): ResultAsync<void, EdgeKeyInUse>;
  /** Forgets the report of an edge whose process has ended, so that another one may report at once. */
  forget(edge: EdgeId): ResultAsync<void, never>;
  /** The edges with a zone in scope that are not draining; those that reported within `silentAfterSeconds` are connected. */
  serving(
    zone: Pick<Zone, 'id' | 'tag' | 'organizationId'>,
    silentAfterSeconds: number,
  ): ResultAsync<readonly ServingEdge[], never>;
}

/** A zone whose document may have changed. */
export interface DueZone {
  readonly id: ZoneId;
  /** Whether it exists and has host names; if not, it has no document. */
  readonly isNamed: boolean;
  /** Of the document that canary edges are offered; undefined: none. */
  readonly digest: string | undefined;
  /** Of the zone when it was last published, which names the edges that have it. */
  readonly tag: EnvironmentTag | undefined;
  readonly organizationId: OrganizationId | undefined;
}

/** Where a round of publishing stands. It ends once all is published that was due when it began. */
export interface PublishingRound {
  /** The latest of the marks that were there when it began; undefined: it is about to begin. */
  readonly latest: string | undefined;
  /** The organization whose turn was last. */
  readonly turn: number;
}

/** Zones whose documents may have changed; `marks` are what says so. */
export interface DueZones {
  readonly zones: readonly DueZone[];
  readonly marks: readonly string[];
  /** Where the round stands once they are published. */
  readonly round: PublishingRound;
}

/** A new state of a zone in the feed. */
export interface PublishedZone extends Pick<Zone, 'id' | 'tag' | 'organizationId' | 'revision'> {
  /** Undefined: edges are to remove it. */
  readonly document:
    | { readonly digest: string; readonly text: string; readonly hostnames: readonly HostName[] }
    | undefined;
  /** Whether all edges are offered it at once, not only canary edges. */
  readonly isForAll: boolean;
}

/** A stored document, and of its zone what decides which edges may read it. */
export interface StoredDocument extends Pick<Zone, 'tag' | 'organizationId'> {
  /** Compressed with gzip. */
  readonly bytes: Uint8Array;
}

/** A zone in an answer of the feed. */
export interface FeedZone {
  readonly id: ZoneId;
  readonly position: number;
  /** Undefined: removed, or no longer in scope. */
  readonly document:
    | { readonly revision: number; readonly digest: string; readonly hostnames: readonly HostName[] }
    | undefined;
}

/** What the feed has for an edge. */
export interface FeedPage {
  /** Whether the position that was asked for is one of this database. */
  readonly isKnown: boolean;
  /** Where the feed ends now. */
  readonly end: FeedPosition;
  /** Ordered by position; one more than asked for if there are more. */
  readonly zones: readonly FeedZone[];
  /** If the answer removes zones: how many the edge has that have not changed since the position. */
  readonly unchanged: number;
}

/** What the feed has to do, read cheaply. */
export interface FeedStatus {
  /** Whether anything waits to be published. */
  readonly isDue: boolean;
  /** Whether edges lack anything, as far as anyone knows: something is to be promoted, or to be noted as current. */
  readonly isPending: boolean;
  /** Changes with every publication. */
  readonly publication: number;
}

/** The published states of zones. */
export interface EdgeFeed {
  /**
   * Takes the lock of publishers until the unit ends, and resolves to due zones, at most `named` of them with host names.
   * Organizations take turns, one zone at a time; each begins with its oldest marks.
   */
  due(named: number, round: PublishingRound): ResultAsync<DueZones, never>;
  /** Publishes zones, under the lock, and removes marks; resolves to whether the round is not over yet. */
  publish(zones: readonly PublishedZone[], due: Omit<DueZones, 'zones'>): ResultAsync<boolean, never>;
  /** Marks all zones once for each `formatVersion`: another one may make other documents of the same zones. */
  markAll(formatVersion: string): ResultAsync<void, never>;
  /** The zones with other states than at a position; without one, all that the edge should have. */
  changes(reader: EdgeIdentity, after: FeedPosition | undefined, limit: number): ResultAsync<FeedPage, never>;
  document(digest: string): ResultAsync<StoredDocument, EdgeDocumentNotFound>;
  status(): ResultAsync<FeedStatus, never>;
  /**
   * Forgets documents that no zone has had for the given number of seconds, and all but the latest publications, with the
   * removals before them: positions before those are not known any more, except in the middle of a whole state.
   */
  forget(unusedSeconds: number, publications: number): ResultAsync<void, never>;
}

/** A change of a zone that edges of the main stage are not offered yet. */
export interface PendingChange extends Pick<Zone, 'id' | 'tag' | 'organizationId'> {
  readonly position: number;
  readonly isHalted: boolean;
  /** Since the last canary edge so far applied it; undefined: none has. */
  readonly soakedSeconds: number | undefined;
}

/** A connected canary edge. */
export interface Canary extends EdgeScope {
  /** Everything up to this number has been applied or rejected. */
  readonly applied: number;
}

/** What the feed offers edges of each stage of a zone. */
export interface OfferedRevision {
  readonly stage: EdgeStage;
  readonly position: number;
  readonly revision: number;
  readonly digest: string | undefined;
  readonly isHalted: boolean;
  /** Since when it has been noted that all connected edges of the stage have it. */
  readonly currentSince: Date | undefined;
}

/** The way of changes from canary edges to all others. */
export interface Rollouts {
  /** Canary edges that reported within the given number of seconds and are not draining. */
  canaries(silentAfterSeconds: number): ResultAsync<readonly Canary[], never>;
  /** At most `limit`, oldest first; takes the lock of publishers. */
  pending(limit: number): ResultAsync<readonly PendingChange[], never>;
  /** The change of a zone that waits, or was halted; takes the lock of publishers. */
  pendingOf(zone: ZoneId): ResultAsync<PendingChange | undefined, never>;
  /** Offers edges of the main stage what canary edges have, under the lock. */
  promote(zones: readonly ZoneId[]): ResultAsync<void, never>;
  /**
   * Notes which of the oldest offers, at most `limit`, all edges have that serve the zone, reported within the given
   * number of seconds and are not draining.
   */
  noteCurrent(silentAfterSeconds: number, limit: number): ResultAsync<void, never>;
  /** What is offered of a zone, by stage. */
  offered(zone: ZoneId): ResultAsync<readonly OfferedRevision[], never>;
}

/** Password hashes of basic-auth users, for those who check passwords. */
export interface ZoneCredentials {
  /** The hashes of all users of a zone. */
  hashes(zone: ZoneId): ResultAsync<ReadonlyMap<BasicAuthUserId, string>, never>;
}

/** Publishing, for those who wait for it. */
export interface Publications {
  /** Begins to publish what is due, and for how many seconds to wait for it at most. */
  catchUp(seconds: number): CatchingUp;
  /** Begins to wait, if for 0 seconds not at all; a later wait of the same owner ends the first. */
  wait(owner: string, seconds: number, reason: WaitReason): Waiting;
  /** An edge has reported: others may wait for that. */
  reported(): void;
}

/** How far publishing has come: `current` if everything is published that was committed before it began. */
export type Progress = 'current' | 'behind' | 'out of time';

/** Publishing that somebody waits for. */
export interface CatchingUp {
  /** Resolves after each batch, and when nothing is left or time is over. */
  next(): ResultAsync<Progress, never>;
}

/** What ends a wait: publications, or also reports of edges. */
export type WaitReason = 'publications' | 'reports';

/** A wait for publications. */
export interface Waiting {
  /** Resolves to true after each publication since the wait began or this was last called, to false when time is over. */
  next(): ResultAsync<boolean, never>;
  end(): void;
}

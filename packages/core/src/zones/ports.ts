import type { ResultAsync } from 'neverthrow';
import type { Membership } from '../access/caller.ts';
import type { Authenticated, PlausibleCredential } from '../access/credential.ts';
import type { Unauthenticated } from '../access/errors.ts';
import type { Role } from '../access/role.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { BackendId, BackendKind, BackendReference } from '../backends/backend-reference.ts';
import type { PresentBackends } from '../backends/ports.ts';
import type { NewRevision } from '../history/ports.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { ZoneSettings } from '../settings/settings.ts';
import type { ChangeSetId, OrganizationId, RuleId, UserId, ZoneId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import type { Page, PageRequest, PageTooLarge } from '../shared/page.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import type { ZoneNameTaken, ZoneNotFound } from './errors.ts';
import type { EnvironmentTag, Zone, ZoneName } from './zone.ts';
import type { ZonePlan } from './zone-plan.ts';
import type { ZoneState } from './zone-state.ts';

/** Sort keys for lists of zones. */
export const zoneSortKeys = ['name', 'tag', 'createdAt', 'updatedAt'] as const;
export type ZoneSortKey = (typeof zoneSortKeys)[number];

/** A sort key with its direction; earlier keys take precedence. */
export interface ZoneSort {
  readonly key: ZoneSortKey;
  readonly direction: 'asc' | 'desc';
}

/** Which zones to list; all criteria must match. */
export interface ZoneFilter {
  readonly organizations: readonly OrganizationId[];
  /** Empty: all tags. */
  readonly tags: readonly EnvironmentTag[];
  /** Substring of the name or the id, ignoring case, without wildcards. */
  readonly search: string | undefined;
}

/** The part of a zone that decides who may see it, and whether cached contents are still current. */
export interface ZoneHead extends Pick<Zone, 'organizationId' | 'revision'> {
  readonly limits: UsageLimits;
}

/** A zone with everything in it, and the limits in force. */
export interface StateWithLimits {
  readonly state: ZoneState;
  readonly limits: UsageLimits;
}

/** The same by credential. */
export interface OwnZoneFilter extends Omit<ZoneFilter, 'organizations'> {
  /** Only zones of organizations in which the caller has one of these roles. */
  readonly roles: readonly Role[];
  /** Only this organization. */
  readonly organization: OrganizationId | undefined;
}

/** Identifies one immutable state of a zone. */
export interface ZoneStateId {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
  /** Unique among the zones with this id. */
  readonly state: string;
}

/** A page of a list of zones, identified but not read yet. */
export interface ZoneStatePage {
  readonly states: readonly ZoneStateId[];
  readonly totalItems: number;
}

/** Zones by live credential. */
export interface OwnZones {
  /**
   * Like `Zones.list`, but only identifies the zones: those of the caller's organizations whose two-factor requirement
   * they meet. Returns the memberships in the organizations of the page and of the filter.
   */
  states(
    credential: PlausibleCredential,
    filter: OwnZoneFilter,
    sort: readonly ZoneSort[],
    page: PageRequest,
  ): ResultAsync<Authenticated<ZoneStatePage>, Unauthenticated>;
  /**
   * The zones in the same order, each in the given state or a later one; zones deleted meanwhile may be missing. The
   * total size is checked like that of a page.
   */
  read(states: readonly ZoneStateId[]): ResultAsync<readonly Zone[], PageTooLarge>;
  /** One zone, whether or not the caller may see it, with the caller's membership in its organization. */
  state(
    credential: PlausibleCredential,
    id: ZoneId,
  ): ResultAsync<Authenticated<(ZoneStateId & { readonly limits: UsageLimits }) | undefined>, Unauthenticated>;
  /** Like `Zones.state`, in the given state or a later one. */
  contents(state: ZoneStateId): ResultAsync<ZoneState, ZoneNotFound>;
}

/**
 * Zones; `ZoneChanges` changes them. Names are compared ignoring case; the pair of name and tag is unique in an
 * organization.
 */
export interface Zones {
  add(zone: {
    readonly id: ZoneId;
    readonly organizationId: OrganizationId;
    readonly name: ZoneName;
    readonly tag: EnvironmentTag;
    readonly banToken: string;
    readonly createdBy: UserId;
    readonly settings: JsonDocument<ZoneSettings>;
  }): ResultAsync<Zone, ZoneNameTaken>;
  /**
   * Zones in the requested order, with the id as the tie-breaker. The size of a page is checked without reading the
   * settings.
   */
  list(filter: ZoneFilter, sort: readonly ZoneSort[], page: PageRequest): ResultAsync<Page<Zone>, PageTooLarge>;
  /** The number of zones of the organization. */
  count(organization: OrganizationId): ResultAsync<number, never>;
  /** The zone's organization, its revision, and the limits in force. */
  head(id: ZoneId): ResultAsync<ZoneHead, ZoneNotFound>;
  /** A consistent snapshot of the zone and everything in it. */
  state(id: ZoneId): ResultAsync<ZoneState, ZoneNotFound>;
  /** The same with the limits at that moment. */
  limitedState(id: ZoneId): ResultAsync<StateWithLimits, ZoneNotFound>;
  /**
   * Removes a zone that `ZoneChanges` has locked, with everything in it. For 30 days, it is among the `DeletedZones`
   * and its history is kept.
   */
  remove(id: ZoneId, author: UserId | undefined): ResultAsync<void, never>;
}

/** A consistent snapshot of everything that a change of a zone is decided on, including who makes it. */
export interface ZoneFacts extends StateWithLimits {
  readonly user: UserId;
  /** The user's membership in the zone's organization; undefined: not a member. */
  readonly membership: Membership | undefined;
  /** The revision of the organization, which covers its two-factor requirement and its limits. */
  readonly organizationRevision: number;
  /** Total bytes of the patches from the latest snapshot in the zone's history to this state. */
  readonly replayBytes: number;
}

/** A zone as it was when the caller was authenticated, with their membership: the facts without the contents. */
export interface PrefetchedZone extends ZoneStateId, Omit<ZoneFacts, 'state' | 'user'> {}
/** An id that a rule is to have in a list. */
export interface ClaimedRule {
  readonly kind: RuleKind;
  readonly id: RuleId;
}

/** The things outside a zone that a change refers to. */
export interface ExternalReferences {
  readonly backends: readonly BackendReference[];
  /** A name and tag that another zone of the organization may have. */
  readonly names?: Pick<Zone, 'name' | 'tag'> | undefined;
  /** Ids of rules to be added. */
  readonly rules?: readonly ClaimedRule[] | undefined;
}

/** The result of looking them up. */
export interface ResolvedReferences {
  /** The backends that exist in the organization, with their origin servers. */
  readonly backends: PresentBackends;
  readonly isNameTaken: boolean;
  /** Claimed ids that belong to a rule of another zone, or ever belonged to a rule in another list of this zone. */
  readonly takenRules: ReadonlySet<RuleId>;
  /** Everything the backends consist of: the change is applied only if none of it has changed. */
  readonly versions: readonly BackendVersion[];
}

/** A backend as of when it was looked up. */
export interface BackendVersion {
  readonly kind: BackendKind;
  readonly id: BackendId;
  readonly revision: number;
}

/** A change set as of when it was read. */
export interface ChangeSetVersion {
  readonly id: ChangeSetId;
  readonly revision: number;
}

/** A change set that a change marks as applied. */
export interface AppliedChangeSet extends ChangeSetVersion {
  /** Nothing else changes: the zone's revision stays, and nothing is added to its history. */
  readonly isAlone: boolean;
}

/** A change to apply, with its entries in history and audit log. */
export interface RecordedChange {
  readonly plan: ZonePlan;
  readonly revision: Omit<NewRevision, 'zoneId' | 'number'>;
  readonly audit: AuditEntry;
  /** The change set that it applies. */
  readonly changeSet?: AppliedChangeSet | undefined;
}

/** The facts of the decision are no longer true. Nothing was written; decide again. */
export interface Superseded {
  readonly type: 'Superseded';
}

/**
 * Changes zones and everything in them: reads facts, and applies changes with a statement that has no effect unless the
 * facts are still true.
 */
export interface ZoneChanges {
  /**
   * The holder of a credential, and the zone, or undefined if it does not exist. Includes the membership in its
   * organization.
   */
  prefetch(
    credential: PlausibleCredential,
    zone: ZoneId,
  ): ResultAsync<Authenticated<PrefetchedZone | undefined>, Unauthenticated>;
  /** The facts for a change by the user: current ones, or those prefetched with the zone. */
  facts(zone: ZoneId, user: UserId, prefetched?: PrefetchedZone): ResultAsync<ZoneFacts, ZoneNotFound>;
  /** Looks up things outside the zone. */
  resolveReferences(
    zone: Pick<Zone, 'id' | 'organizationId'>,
    asked: ExternalReferences,
  ): ResultAsync<ResolvedReferences, never>;
  /**
   * Locks the organization, the user's membership and the zone until the unit ends, so that facts read afterwards stay
   * true. Units that change the zone or revoke the user's role wait.
   */
  lock(zone: ZoneId, user: UserId): ResultAsync<void, never>;
  /**
   * Applies the change atomically and increments the zone's revision. Resolves to the state after it; everything written
   * has the time of the change. Superseded if the zone, the user's role, the organization or one of the backends has
   * changed, if the change set is not open at its revision, or if the id of an added rule is taken; none of them can
   * change until the unit ends.
   *
   * An added rule starts at the zone's previous revision, and each change of its content increments that: a rule's
   * revision never denotes two contents, even if a deleted rule is restored under its old id.
   */
  apply(
    facts: ZoneFacts,
    versions: readonly BackendVersion[],
    change: RecordedChange,
  ): ResultAsync<ZoneState, Superseded | ZoneNameTaken>;
}

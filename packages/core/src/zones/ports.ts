import type { ResultAsync } from 'neverthrow';
import type { Membership } from '../access/caller.ts';
import type { PlausibleCredential, Recognized } from '../access/credential.ts';
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

/** What lists of zones can be sorted by. */
export const zoneSortKeys = ['name', 'tag', 'createdAt', 'updatedAt'] as const;
export type ZoneSortKey = (typeof zoneSortKeys)[number];

/** One key of an order; earlier ones of a list count more. */
export interface ZoneSort {
  readonly key: ZoneSortKey;
  readonly direction: 'asc' | 'desc';
}

/** Which zones to list; every criterion must hold. */
export interface ZoneFilter {
  readonly organizations: readonly OrganizationId[];
  /** Empty: every tag. */
  readonly tags: readonly EnvironmentTag[];
  /** Part of the name, ignoring case, or of the id; taken literally. */
  readonly search: string | undefined;
}

/** Of a zone what decides who may see it, and whether what is known of its contents still holds. */
export interface ZoneHead extends Pick<Zone, 'organizationId' | 'revision'> {
  readonly limits: UsageLimits;
}

/** A zone with everything inside it, and the limits in force there. */
export interface LimitedState {
  readonly state: ZoneState;
  readonly limits: UsageLimits;
}

/** The same for the holder of a credential. */
export interface OwnZoneFilter extends Omit<ZoneFilter, 'organizations'> {
  /** Only zones of organizations in which the caller has one of these roles. */
  readonly roles: readonly Role[];
  /** One organization only. */
  readonly organization: OrganizationId | undefined;
}

/** Names one state of a zone. States never change. */
export interface NamedState {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
  /** Of the zones with this id, only one state has it. */
  readonly state: string;
}

/** One part of a list of zones, of which nothing is read yet. */
export interface NamedStates {
  readonly states: readonly NamedState[];
  readonly totalItems: number;
}

/** Zones of the holder of a live credential. */
export interface OwnZones {
  /**
   * As `Zones.list`, but names the zones only: those of the organizations of the caller, except of those that demand a
   * second factor which the caller lacks. Memberships are those of the organizations of the page, and of the one that is
   * named.
   */
  states(
    credential: PlausibleCredential,
    filter: OwnZoneFilter,
    sort: readonly ZoneSort[],
    page: PageRequest,
  ): ResultAsync<Recognized<NamedStates>, Unauthenticated>;
  /**
   * The zones in the same order, each in the state that is named or as it is by now; of those that are gone some may be
   * left out. Measured as a page is.
   */
  read(states: readonly NamedState[]): ResultAsync<readonly Zone[], PageTooLarge>;
  /** One zone, whether or not the caller may see it. Memberships are that of its organization, if there is one. */
  state(
    credential: PlausibleCredential,
    id: ZoneId,
  ): ResultAsync<Recognized<(NamedState & { readonly limits: UsageLimits }) | undefined>, Unauthenticated>;
  /** As `Zones.state`, in the state that is named or as it is by now. */
  contents(state: NamedState): ResultAsync<ZoneState, ZoneNotFound>;
}

/** Zones; what changes them is in `ZoneChanges`. Names are compared ignoring case; (name, tag) is unique in an organization. */
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
   * Zones in the asked order; equals, and all when no order is asked, by id. A page is measured by the text of its
   * settings, without reading them.
   */
  list(filter: ZoneFilter, sort: readonly ZoneSort[], page: PageRequest): ResultAsync<Page<Zone>, PageTooLarge>;
  /** Number of zones of the organization. */
  count(organization: OrganizationId): ResultAsync<number, never>;
  /** Who owns the zone, its revision, and the limits in force in it. */
  head(id: ZoneId): ResultAsync<ZoneHead, ZoneNotFound>;
  /** The zone and everything inside it as they were at one moment. */
  state(id: ZoneId): ResultAsync<ZoneState, ZoneNotFound>;
  /** The same with the limits of that moment. */
  limitedState(id: ZoneId): ResultAsync<LimitedState, ZoneNotFound>;
  /**
   * Removes a zone that `ZoneChanges` has locked, and everything inside it. For 30 days it is among the `DeletedZones`, and its
   * history stays as long.
   */
  remove(id: ZoneId, author: UserId | undefined): ResultAsync<void, never>;
}

/** Everything inside a zone that a change of it is decided on, and who asks for the change. All of one moment. */
export interface ZoneFacts extends LimitedState {
  readonly user: UserId;
  /** What the user is in the organization of the zone; undefined: no member. */
  readonly membership: Membership | undefined;
  /** The revision of the organization, whose demands decide with the role on what a member may do. It limits the zone, too. */
  readonly organizationRevision: number;
  /** Bytes of the patches that lead from the latest snapshot in the zone's history to this state. */
  readonly replayBytes: number;
}

/** A zone as it was when the caller was recognized, and what the caller is in its organization: facts but for the contents. */
export interface SeenZone extends NamedState, Omit<ZoneFacts, 'state' | 'user'> {}
/** An id under which a rule is to be in a list. */
export interface ClaimedRule {
  readonly kind: RuleKind;
  readonly id: RuleId;
}

/** What a change names outside its zone. */
export interface Outside {
  readonly backends: readonly BackendReference[];
  /** A name and a tag that another zone of the organization may have. */
  readonly names?: Pick<Zone, 'name' | 'tag'> | undefined;
  /** Ids under which rules are to be added. */
  readonly rules?: readonly ClaimedRule[] | undefined;
}

/** What is found there. */
export interface FoundOutside {
  /** Those of the backends that the organization has, with the origin servers behind each. */
  readonly backends: PresentBackends;
  readonly isNameTaken: boolean;
  /** Ids of the claimed ones that a rule of another zone has, or that a rule in another list of the zone once had. */
  readonly takenRules: ReadonlySet<RuleId>;
  /** Everything the backends were made of: the change is applied only while none of it has changed. */
  readonly versions: readonly BackendVersion[];
}

/** A backend as it was when it was looked up. */
export interface BackendVersion {
  readonly kind: BackendKind;
  readonly id: BackendId;
  readonly revision: number;
}

/** A change set as it was when it was read. */
export interface ChangeSetVersion {
  readonly id: ChangeSetId;
  readonly revision: number;
}

/** A change set that is marked as applied by a change. */
export interface AppliedChangeSet extends ChangeSetVersion {
  /** Nothing else changes: the zone keeps its revision, and none is added to its history. */
  readonly isAlone: boolean;
}

/** A change as it is applied: what becomes of the zone, and what is written down about it. */
export interface RecordedChange {
  readonly plan: ZonePlan;
  readonly revision: Omit<NewRevision, 'zoneId' | 'number'>;
  readonly audit: AuditEntry;
  /** The change set that it applies. */
  readonly changeSet?: AppliedChangeSet | undefined;
}

/** What the change was decided on is not so any more. Nothing was written; decide again. */
export interface Superseded {
  readonly type: 'Superseded';
}

/** How anything inside a zone is changed: on facts, by a statement that is of no effect if they are not true any more. */
export interface ZoneChanges {
  /**
   * The holder of a credential, and the zone: undefined if it is not there. Memberships are that of its organization, if
   * there is one.
   */
  seen(credential: PlausibleCredential, zone: ZoneId): ResultAsync<Recognized<SeenZone | undefined>, Unauthenticated>;
  /** The facts for a change of the zone that the user asks for: as they are, or as they were when the zone was seen. */
  facts(zone: ZoneId, user: UserId, seen?: SeenZone): ResultAsync<ZoneFacts, ZoneNotFound>;
  /** What there is of it at the moment, seen from the zone. */
  outside(zone: Pick<Zone, 'id' | 'organizationId'>, asked: Outside): ResultAsync<FoundOutside, never>;
  /**
   * Keeps the organization, the user's membership and the zone as they are until the unit ends: facts that are read from
   * then on stay true. Units that apply a change to the zone wait, and so do those that take the user's role away.
   */
  lock(zone: ZoneId, user: UserId): ResultAsync<void, never>;
  /**
   * Applies the change, all of it or nothing, and raises the revision of the zone by one. Resolves to the time of the
   * change, which is that of everything it wrote. It is superseded if the zone, the user's role, the organization
   * or one of the backends is not what it was, if the change set is not open at its revision, or if a rule has the id of one
   * that is added; none of them changes before the unit ends.
   *
   * An added rule has the revision the zone had before, and each change of its content raises it by one: no revision of
   * a rule ever names two contents, not even when a deleted rule comes back under its old id.
   */
  apply(
    facts: ZoneFacts,
    versions: readonly BackendVersion[],
    change: RecordedChange,
  ): ResultAsync<Date, Superseded | ZoneNameTaken>;
}

import type { ResultAsync } from 'neverthrow';
import type { ChangeSetId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { AuditEntry } from '../../organizations/audit/audit-entry.ts';
import type { HostName } from '../../organizations/domains/dns-names.ts';
import type { NewRevision } from '../history/ports.ts';
import type { ZoneNameTaken, ZoneNotFound } from '../zones/errors.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { NotAMember } from './errors.ts';
import type { BackendVersion, ExternalReferences, LockedZone, ResolvedReferences, ZoneFacts } from './zone-facts.ts';
import type { ZonePlan } from './zone-plan.ts';

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

/**
 * A change to apply, with its entries in history and audit log. Both name its action and the user of the facts; the audit
 * log is that of the zone's organization.
 */
export interface RecordedChange {
  readonly plan: ZonePlan;
  readonly revision: Omit<NewRevision, 'zoneId' | 'number' | 'author'>;
  readonly audit: Pick<AuditEntry, 'credential' | 'objects' | 'client'>;
  /** The change set that it applies. */
  readonly changeSet?: AppliedChangeSet | undefined;
  /** The most bytes that the organization may store before the change (see `StorageQuotas`); undefined: any number. */
  readonly mostStored?: number | undefined;
}

/** A locked zone that is to lose host names. */
export type Loser = Pick<ZoneFacts, 'state' | 'replayBytes'>;

/**
 * Changes zones and everything in them: reads facts, and applies changes with a statement that has no effect unless the
 * facts are still true.
 */
export interface ZoneChanges {
  /** The facts for a change by the user. Of others than members, nothing is locked and nothing in the zone is read. */
  facts(zone: ZoneId, user: UserId): ResultAsync<ZoneFacts, ZoneNotFound | NotAMember>;
  /**
   * Looks up things outside the zone. A lapsing domain by which another organization has one of the host names, although
   * this one has proven it, is to be checked at once, unless it was within the last minute.
   */
  resolveReferences(
    zone: Pick<Zone, 'id' | 'organizationId'>,
    asked: ExternalReferences,
  ): ResultAsync<ResolvedReferences, never>;
  /**
   * Locks the organization, the user's membership and the zone until the unit ends, without reading the zone's contents.
   * Units that change the zone or revoke the user's role wait, so it must be the last thing before a write: nothing is
   * computed meanwhile.
   */
  lock(zone: ZoneId, user: UserId): ResultAsync<LockedZone, ZoneNotFound>;
  /**
   * Waits until no other unit is in the zone's queue, and stays in it until the unit ends. Units that do not queue go on.
   */
  queue(zone: ZoneId): ResultAsync<void, never>;
  /**
   * Locks a zone that is to lose host names, and the domains that could prove them; superseded if the zone no longer has
   * them, or its organization proves one of them. The lock order is: the zone that gets them, domains, this zone.
   */
  lockLoser(zone: ZoneId, names: readonly HostName[]): ResultAsync<Loser | 'superseded', never>;
  /** Takes host names from a locked zone, as a change of the service itself. */
  release(loser: Loser, change: RecordedChange): ResultAsync<void, never>;
  /**
   * Applies the change atomically and increments the zone's revision. Resolves to the state after it; everything written
   * has the time of the change. It is superseded, so that the unit must be rolled back, if the zone, the user's role,
   * the organization or one of the backends has changed, if the change set is not open at its revision, if the id of an
   * added rule or a claimed host name is taken, if a domain that covers one is gone, or if a revision that the new one
   * refers to is no longer kept; none of them can change until the unit ends. Also if the organization stores more than
   * `mostStored`, which can change.
   *
   * An added rule starts at the zone's previous revision, and each change of its content increments that: a rule's
   * revision never denotes two contents, even if a deleted rule is restored under its old id.
   */
  apply(
    facts: ZoneFacts,
    versions: readonly BackendVersion[],
    change: RecordedChange,
  ): ResultAsync<ZoneState | 'superseded', ZoneNameTaken>;
}

import type { RuleId, UserId } from '../../kernel/shared/ids.ts';
import type { Membership } from '../../organizations/access/caller.ts';
import type { BackendId, BackendKind, BackendReference } from '../../organizations/backends/backend-reference.ts';
import type { PresentBackends } from '../../organizations/backends/ports.ts';
import type { HostName } from '../../organizations/domains/dns-names.ts';
import type { HostNameFacts } from '../../organizations/domains/host-name-rules.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { Zone } from '../zones/zone.ts';

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

/** A locked zone without its contents, and who locked it. */
export interface LockedZone extends Pick<Zone, 'organizationId' | 'name' | 'tag' | 'revision'> {
  /** The user's membership in the zone's organization, which stays the same until the unit ends. */
  readonly membership: Membership | undefined;
}

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
  /** Host names that the zone does not have. */
  readonly hostNames?: readonly HostName[] | undefined;
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
  /** What decides whether the zone can have the host names. */
  readonly hostNames: HostNameFacts;
  /** Everything the backends consist of: the change is applied only if none of it has changed. */
  readonly versions: readonly BackendVersion[];
}

/** A backend as of when it was looked up. */
export interface BackendVersion {
  readonly kind: BackendKind;
  readonly id: BackendId;
  readonly revision: number;
}

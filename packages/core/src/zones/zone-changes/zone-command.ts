import type { ResultAsync } from 'neverthrow';
import type { AuditAction } from '../../organizations/audit/audit-entry.ts';
import type { HostNameClaim } from '../../organizations/domains/host-name-rules.ts';
import type { ZoneDocument } from '../history/zone-document.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { Decide } from './decision.ts';
import type { RequiredPermissions } from './optimistic-write.ts';
import type { AppliedChangeSet } from './ports.ts';
import type { ZonePlan } from './zone-plan.ts';

/** A revision that another one can refer to: what replaying its state costs (see `StoredState`). */
export interface ReferableRevision {
  readonly number: number;
  readonly replayBytes: number;
}

/** Where a restored state comes from: history refers to that instead of repeating it. */
export interface RestorationOrigin {
  /** A revision with these settings and rules. */
  readonly contents: ReferableRevision & { readonly document: ZoneDocument };
  /** A revision with everything else as it is now. */
  readonly rest: ReferableRevision;
}

/** The effect of a change, and its name in history and audit log. */
export interface ZoneChange {
  readonly plan: ZonePlan;
  readonly action: AuditAction;
  /** Ids of what is changed inside the zone, by kind. */
  readonly objects: Readonly<Record<string, string>>;
  /** The name of a deleted object, for the audit log: its id no longer resolves. */
  readonly name?: string;
  /** The change set to mark as applied in the same statement, even if nothing changes. */
  readonly changeSet?: Omit<AppliedChangeSet, 'isAlone'>;
  readonly origin?: RestorationOrigin;
  /** Recorded in the audit log even if nothing changes. */
  readonly isAlwaysRecorded?: boolean;
}

/**
 * A caller's change of a zone or of anything in it. `decide` is pure: it returns a plan or an error. The permission is
 * checked before it is called. A change may say more about itself than storage needs (`C`).
 */
export type ZoneCommand<E, C extends ZoneChange = ZoneChange, R = unknown> = CommandTerms<E, R> &
  (PureCommand<E, C> | PreparedCommand<E, C, R>);

/** For decisions on nothing but the zone. */
export interface PureCommand<E, C> {
  readonly decide: Decide<C, E>;
}

/** For decisions that need more than the zone: `prepare` reads it again for every attempt. */
interface PreparedCommand<E, C, R> {
  readonly prepare: (repositories: R, state: ZoneState) => ResultAsync<Decide<C, E>, E>;
}

interface CommandTerms<E, R> {
  readonly permission: RequiredPermissions;
  /** The error if another zone has taken the new name in the meantime. */
  readonly nameTaken?: E;
  /** For commands that may claim host names: takes them from the zones that lose them. */
  readonly takeHostNames?: (
    repositories: R,
    claims: readonly HostNameClaim[],
  ) => ResultAsync<'taken' | 'superseded', never>;
}

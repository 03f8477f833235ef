import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { Permission } from '../access/role.ts';
import type { AuditAction } from '../audit/audit-entry.ts';
import type { Repositories } from '../repositories.ts';
import { backendsIn, type ReferenceTargets, type SettingsReferences } from '../settings/references.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { ChangeSetVersion } from './ports.ts';
import type { ExternalReferences, ResolvedReferences } from './zone-facts.ts';
import type { ZonePlan } from './zone-plan.ts';

/** The effect of a change, and its name in history and audit log. */
export interface ZoneChange {
  readonly plan: ZonePlan;
  readonly action: AuditAction;
  /** Ids of what is changed inside the zone, by kind. */
  readonly objects: Readonly<Record<string, string>>;
  /** The name of a deleted object, for the audit log: its id no longer resolves. */
  readonly name?: string;
  /** The change set to mark as applied in the same statement, even if nothing changes. */
  readonly changeSet?: ChangeSetVersion;
  /** Recorded in the audit log even if nothing changes. */
  readonly isAlwaysRecorded?: boolean;
}

/** What a change is decided on: the zone, and the things outside it that were looked up. */
export interface DecisionBasis {
  readonly state: ZoneState;
  /** The limits in force in the zone. */
  readonly limits: UsageLimits;
  readonly resolved: ResolvedReferences | undefined;
}

/** A decision that needs things outside the zone: look them up, and decide again. */
export interface Unresolved extends ExternalReferences {
  readonly type: 'Unresolved';
}

/**
 * A caller's change of a zone or of anything in it. `decide` is pure: it returns a plan or an error. The permission is
 * checked before it is called.
 */
export type ZoneCommand<E> = CommandTerms<E> & (PureCommand<E> | PreparedCommand<E>);

/** Decides on a basis, or returns what must be looked up first. */
export type Decide<T, E> = (basis: DecisionBasis) => Result<T, E | Unresolved>;

interface PureCommand<E> {
  readonly decide: Decide<ZoneChange, E>;
}

/** For decisions that need more than the zone: `prepare` reads it again for every attempt. */
interface PreparedCommand<E> {
  readonly prepare: (repositories: Repositories, state: ZoneState) => ResultAsync<Decide<ZoneChange, E>, E>;
}

interface CommandTerms<E> {
  /** All of them are required. */
  readonly permission: Permission | readonly Permission[];
  /** The error if another zone has taken the new name in the meantime. */
  readonly nameTaken?: E;
}

/**
 * Resolves references of the zone's settings and rules. Pass all that are validated together; `names` are only looked
 * up along with backends or rule ids, never by themselves.
 */
export function referenceTargetsOf(
  { state, resolved }: DecisionBasis,
  settings: readonly SettingsReferences[],
  { names, rules = [] }: Pick<ExternalReferences, 'names' | 'rules'> = {},
): Result<ReferenceTargets, Unresolved> {
  const backends = backendsIn(settings);
  const users = new Set(state.users.map(({ id }) => id));
  if (resolved !== undefined) return ok({ backends: resolved.backends, users });
  return backends.length + rules.length === 0
    ? ok({ backends: { origin_server: new Map(), load_balancer: new Map() }, users })
    : err({ type: 'Unresolved', backends, names, rules });
}

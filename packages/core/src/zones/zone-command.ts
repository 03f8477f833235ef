import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { Permission } from '../access/role.ts';
import type { AuditAction } from '../audit/audit-entry.ts';
import type { Repositories } from '../repositories.ts';
import { backendsIn, type Referents, type SettingsReferences } from '../settings/references.ts';
import type { UsageLimits } from '../usage-limits/usage-limits.ts';
import type { ChangeSetVersion, FoundOutside, Outside } from './ports.ts';
import type { ZonePlan } from './zone-plan.ts';
import type { ZoneState } from './zone-state.ts';

/** What a change does, and how it is called in history and audit log. */
export interface ZoneChange {
  readonly plan: ZonePlan;
  readonly action: AuditAction;
  /** Ids of what is changed inside the zone, by kind. */
  readonly objects: Readonly<Record<string, string>>;
  /** What it was called, for the audit log alone: the ids of what is deleted lead nowhere. */
  readonly name?: string;
  /** The change set that it applies: marked so by the same statement, even if nothing changes. */
  readonly changeSet?: ChangeSetVersion;
  /** Who asks for it is worth knowing even if nothing changes. */
  readonly isAlwaysRecorded?: boolean;
}

/** What a change is decided on: the zone, and what is known of what it names outside of it. */
export interface DecisionBasis {
  readonly state: ZoneState;
  /** Those in force in the zone. */
  readonly limits: UsageLimits;
  readonly outside: FoundOutside | undefined;
}

/** A decision that takes to know what there is outside the zone: look it up, and decide again. */
export interface Unknown extends Outside {
  readonly type: 'Unknown';
}

/**
 * A change of a zone, or of anything inside it, that a caller asks for. `decide` is pure: it makes a plan of a state, or
 * says what speaks against it. The one who applies the command asks for the permission first.
 */
export type ZoneCommand<E> = CommandTerms<E> & (PureCommand<E> | PreparedCommand<E>);

/** Decides on a basis, or says what has to be looked up first. */
export type Decide<T, E> = (basis: DecisionBasis) => Result<T, E | Unknown>;

interface PureCommand<E> {
  readonly decide: Decide<ZoneChange, E>;
}

/** Decides on more than the zone: `prepare` reads it anew whenever it is to be decided again. */
interface PreparedCommand<E> {
  readonly prepare: (repositories: Repositories, state: ZoneState) => ResultAsync<Decide<ZoneChange, E>, E>;
}

interface CommandTerms<E> {
  /** All of them are asked for. */
  readonly permission: Permission | readonly Permission[];
  /** What it means that another zone got the name in the meantime that this one was to have. */
  readonly nameTaken?: E;
}

/**
 * What settings of the zone or of its rules may refer to, as far as they do. Take all that is checked together; `names`
 * are asked for along with backends or ids of rules, but not alone.
 */
export function referentsOf(
  { state, outside }: DecisionBasis,
  settings: readonly SettingsReferences[],
  { names, rules = [] }: Pick<Outside, 'names' | 'rules'> = {},
): Result<Referents, Unknown> {
  const backends = backendsIn(settings);
  const users = new Set(state.users.map(({ id }) => id));
  if (outside !== undefined) return ok({ backends: outside.backends, users });
  return backends.length + rules.length === 0
    ? ok({ backends: { origin_server: new Map(), load_balancer: new Map() }, users })
    : err({ type: 'Unknown', backends, names, rules });
}

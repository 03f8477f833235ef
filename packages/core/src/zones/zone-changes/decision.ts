import { ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { Caller } from '../../organizations/access/caller.ts';
import { readsZone } from '../../organizations/access/permissions.ts';
import type { HostNameHolder } from '../../organizations/domains/host-name-rules.ts';
import { backendsIn, type ReferenceTargets, type SettingsReferences } from '../settings/references.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import type { ZoneChanges } from './ports.ts';
import type { ExternalReferences, ResolvedReferences } from './zone-facts.ts';

/** A decision about a zone, or what must be looked up outside the zone before it can be made. */
export type Decision<T, E> =
  | { readonly decided: T }
  | { readonly needs: ExternalReferences; readonly decide: (resolved: ResolvedReferences) => Result<T, E> };

/** Decides purely, on a zone and the limits in force in it. */
export type Decide<T, E> = (basis: StateWithLimits) => Result<Decision<T, E>, E>;

/** Changes what is decided. */
export const mapDecision =
  <T, U>(change: (decided: T) => U) =>
  <E>(decision: Decision<T, E>): Decision<U, E> =>
    'decided' in decision
      ? { decided: change(decision.decided) }
      : { needs: decision.needs, decide: (resolved) => decision.decide(resolved).map(change) };

/** Changes the error of a decision that is still to be made. */
export const mapDecisionError =
  <E, F>(change: (error: E) => F) =>
  <T>(decision: Decision<T, E>): Decision<T, F> =>
    'decided' in decision
      ? decision
      : { needs: decision.needs, decide: (resolved) => decision.decide(resolved).mapErr(change) };

/** What a decision refers to: settings and rules that are validated together, and what else depends on other zones. */
interface References extends Pick<ExternalReferences, 'names' | 'hostNames' | 'rules'> {
  readonly settings: readonly SettingsReferences[];
}

/**
 * Decides with all references resolved: at once if they name nothing outside the zone. `names` are only looked up along
 * with something else, never by themselves.
 */
export function decideWithReferences<T, E>(
  state: ZoneState,
  { settings, names, hostNames = [], rules = [] }: References,
  decide: (targets: ReferenceTargets, resolved?: ResolvedReferences) => Result<T, E>,
): Result<Decision<T, E>, E> {
  const backends = backendsIn(settings);
  const users = new Set(state.users.map(({ id }) => id));
  if (backends.length + hostNames.length + rules.length === 0) {
    return decide({ backends: { origin_server: new Map(), load_balancer: new Map() }, users }).map((decided) => ({
      decided,
    }));
  }
  return ok({
    needs: { backends, names, hostNames, rules },
    decide: (resolved) => decide({ backends: resolved.backends, users }, resolved),
  });
}

/** A decision as made, with what was looked up for it. */
export interface Decided<T> {
  readonly value: T;
  readonly resolved: ResolvedReferences | undefined;
}

/** What a decision is made on, and for whom: without a caller, violations name no other zone. */
interface DecisionBasis extends StateWithLimits {
  readonly caller?: Caller;
}

/** Makes a decision, looking up what it needs. */
export const decideIn = <T, E>(
  { zoneChanges }: { readonly zoneChanges: ZoneChanges },
  { caller, ...basis }: DecisionBasis,
  decide: Decide<T, E>,
): ResultAsync<Decided<T>, E> =>
  decide(basis).asyncAndThen(
    (decision): ResultAsync<Decided<T>, E> =>
      'decided' in decision
        ? okAsync({ value: decision.decided, resolved: undefined })
        : zoneChanges
            .resolveReferences(basis.state.zone, decision.needs)
            .map((resolved) => ({
              ...resolved,
              hostNames: {
                ...resolved.hostNames,
                mayRead: (holder: HostNameHolder) => caller !== undefined && readsZone(caller, holder),
              },
            }))
            .andThen((resolved) => decision.decide(resolved).map((value) => ({ value, resolved }))),
  );

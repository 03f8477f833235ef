import { errAsync, ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { stillMayIn } from '../access/permissions.ts';
import { type Repositories, StorageUnavailable, type UnitOfWork } from '../repositories.ts';
import { defect } from '../shared/defect.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { StateWithLimits } from '../zones/ports.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import { prefetchedZone } from './authenticate-for-zone.ts';
import type { PrefetchedZone, Superseded, ZoneChanges } from './ports.ts';
import { recordedChange } from './recorded-change.ts';
import type { Decide, Unresolved, ZoneChange, ZoneCommand } from './zone-command.ts';
import type { ResolvedReferences, ZoneFacts } from './zone-facts.ts';
import { isEmptyPlan } from './zone-plan.ts';

/** A zone before and after a change; equal states if nothing changed. */
export interface ChangedZone {
  readonly before: ZoneState;
  readonly after: ZoneState;
}

/**
 * The only way to change a zone or anything in it (optimistic concurrency): read facts, decide purely, and apply the
 * decision with one statement that requires the facts to be still true. If they are not, a concurrent change won and
 * the decision is repeated; after losing twice, the zone is locked, so that every change eventually gets through. A
 * change of nothing leaves no trace.
 */
export function changeZone<E>(
  unitOfWork: UnitOfWork,
  caller: Caller,
  zone: ZoneId,
  command: ZoneCommand<E>,
): ResultAsync<ChangedZone, E | ZoneAccessError> {
  const decide = (prefetched?: PrefetchedZone) => (repositories: Repositories) =>
    decided(repositories, caller, { zone, prefetched }, command);
  const apply = (decision: Decision) => (repositories: Repositories) =>
    applied(repositories.zoneChanges, caller, command, decision);
  const freely = (prefetched?: PrefetchedZone) => () =>
    unitOfWork.view(decide(prefetched)).andThen((decision) => unitOfWork.single(apply(decision)));
  const locked = () =>
    unitOfWork.run((repositories) =>
      repositories.zoneChanges
        .lock(zone, caller.userId)
        .andThen(() => decide()(repositories))
        .andThen((decision) => apply(decision)(repositories)),
    );
  return firstDone([freely(prefetchedZone(caller, zone)), freely(), locked, locked, locked]);
}

/**
 * Like `changeZone`, for a zone that `arrange` creates in the same unit and nobody else can change yet. Backends it
 * refers to can still change concurrently; then everything is rolled back and retried.
 */
export function changeNewZone<E>(
  unitOfWork: UnitOfWork,
  caller: Caller,
  zone: ZoneId,
  arrange: (repositories: Repositories) => ResultAsync<void, E>,
  command: ZoneCommand<E>,
): ResultAsync<ChangedZone, E | ZoneAccessError> {
  const attempt = () =>
    unitOfWork.run((repositories) =>
      arrange(repositories)
        .andThen(() => decided(repositories, caller, { zone }, command))
        .andThen((decision) => applied(repositories.zoneChanges, caller, command, decision)),
    );
  return firstDone([attempt, attempt, attempt]);
}

/** Decides like `changeZone` without applying anything: checks whether the change would currently be accepted. */
export const tryChange = <E>(
  unitOfWork: UnitOfWork,
  caller: Caller,
  zone: ZoneId,
  command: ZoneCommand<E>,
): ResultAsync<void, E | ZoneAccessError> =>
  unitOfWork.view((repositories) => decided(repositories, caller, { zone }, command)).map(() => undefined);

/** Retries until a change is not superseded. */
function firstDone<T, E>([next, ...later]: readonly (() => ResultAsync<T, E | Superseded>)[]): ResultAsync<T, E> {
  // A locked zone does not change; only things it refers to can, and hardly three times in a row.
  if (next === undefined) throw new StorageUnavailable('A change was superseded too many times.');
  return next().orElse((error): ResultAsync<T, E> => (isSuperseded(error) ? firstDone(later) : errAsync(error)));
}

const isSuperseded = (error: unknown): error is Superseded =>
  typeof error === 'object' && error !== null && 'type' in error && error.type === 'Superseded';

/** A decision and what it is based on. */
interface Decision {
  readonly change: ZoneChange;
  readonly facts: ZoneFacts;
  readonly resolved: ResolvedReferences | undefined;
}

const decided = <E>(
  repositories: Repositories,
  caller: Caller,
  { zone: zoneId, prefetched }: { readonly zone: ZoneId; readonly prefetched?: PrefetchedZone | undefined },
  command: ZoneCommand<E>,
): ResultAsync<Decision, E | ZoneAccessError> =>
  safeTry(async function* () {
    const facts = yield* repositories.zoneChanges.facts(zoneId, caller.userId, prefetched);
    const { state, limits, membership } = facts;
    for (const permission of [command.permission].flat()) {
      yield* stillMayIn(caller, state.zone.organizationId, membership, permission);
    }
    const decide = 'decide' in command ? command.decide : yield* command.prepare(repositories, state);
    const { value: change, resolved } = yield* decideIn(repositories, { state, limits }, decide);
    return ok({ change, facts, resolved });
  });

/** Decides on a state, and looks up things outside the zone if the decision needs them; returns what was looked up. */
export const decideIn = <T, E>(
  { zoneChanges }: Pick<Repositories, 'zoneChanges'>,
  { state, limits }: StateWithLimits,
  decide: Decide<T, E>,
): ResultAsync<{ readonly value: T; readonly resolved: ResolvedReferences | undefined }, E> =>
  safeTry(async function* () {
    let resolved: ResolvedReferences | undefined;
    let found = decide({ state, limits, resolved });
    if (found.isErr() && isUnresolved(found.error)) {
      resolved = yield* zoneChanges.resolveReferences(state.zone, found.error);
      found = decide({ state, limits, resolved });
    }
    return found.map((value) => ({ value, resolved })).mapErr(requireResolved);
  });

const isUnresolved = (error: unknown): error is Unresolved =>
  typeof error === 'object' && error !== null && 'type' in error && error.type === 'Unresolved';

/** The error of a command that already got all the lookups it asked for. */
function requireResolved<E>(error: E | Unresolved): E {
  if (isUnresolved(error)) throw new Error('A decision requested more lookups after it had got all it asked for.');
  return error;
}

/** Applies the decision unless it has been superseded. */
function applied<E>(
  changes: ZoneChanges,
  caller: Caller,
  { nameTaken }: ZoneCommand<E>,
  { change, facts, resolved }: Decision,
): ResultAsync<ChangedZone, E | Superseded> {
  const { state: before } = facts;
  if (isEmptyPlan(change.plan) && change.isAlwaysRecorded !== true && change.changeSet === undefined) {
    return okAsync({ before, after: before });
  }
  return changes
    .apply(facts, resolved?.versions ?? [], recordedChange(facts, caller, change))
    .map((after) => ({ before, after }))
    .orElse((error): ResultAsync<ChangedZone, E | Superseded> => {
      if (error.type === 'Superseded') return errAsync(error);
      return nameTaken === undefined
        ? defect('A change without a new name failed because a name was taken.')
        : errAsync(nameTaken);
    });
}

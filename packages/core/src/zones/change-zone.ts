import { errAsync, ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { stillMayIn } from '../access/permissions.ts';
import { type Repositories, StorageUnavailable, type UnitOfWork } from '../repositories.ts';
import { defect } from '../shared/defect.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { FoundOutside, LimitedState, SeenZone, Superseded, ZoneChanges, ZoneFacts } from './ports.ts';
import { seenBy } from './recognize-at-zone.ts';
import { recordOf } from './record-of-change.ts';
import type { ZoneAccessError } from './zone-access.ts';
import type { Decide, Unknown, ZoneChange, ZoneCommand } from './zone-command.ts';
import { isNothing, stateAfter } from './zone-plan.ts';
import type { ZoneState } from './zone-state.ts';

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
  const decide = (seen?: SeenZone) => (repositories: Repositories) =>
    decided(repositories, caller, { zone, seen }, command);
  const apply = (decision: Decision) => (repositories: Repositories) =>
    applied(repositories.zoneChanges, caller, command, decision);
  const freely = (seen?: SeenZone) => () =>
    unitOfWork.view(decide(seen)).andThen((decision) => unitOfWork.single(apply(decision)));
  const locked = () =>
    unitOfWork.run((repositories) =>
      repositories.zoneChanges
        .lock(zone, caller.userId)
        .andThen(() => decide()(repositories))
        .andThen((decision) => apply(decision)(repositories)),
    );
  return firstDone([freely(seenBy(caller, zone)), freely(), locked, locked, locked]);
}

/**
 * Like `changeZone`, for a zone that `arrange` creates in the same unit and nobody else can change yet. Backends it
 * refers to can still change concurrently; then everything is rolled back and retried.
 */
export function changeArranged<E>(
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
  readonly outside: FoundOutside | undefined;
}

const decided = <E>(
  repositories: Repositories,
  caller: Caller,
  { zone: zoneId, seen }: { readonly zone: ZoneId; readonly seen?: SeenZone | undefined },
  command: ZoneCommand<E>,
): ResultAsync<Decision, E | ZoneAccessError> =>
  safeTry(async function* () {
    const facts = yield* repositories.zoneChanges.facts(zoneId, caller.userId, seen);
    const { state, limits, membership } = facts;
    for (const permission of [command.permission].flat()) {
      yield* stillMayIn(caller, state.zone.organizationId, membership, permission);
    }
    const decide = 'decide' in command ? command.decide : yield* command.prepare(repositories, state);
    const { value: change, outside } = yield* decideIn(repositories, { state, limits }, decide);
    return ok({ change, facts, outside });
  });

/** Decides on a state, and looks up things outside the zone if the decision needs them; returns what was looked up. */
export const decideIn = <T, E>(
  { zoneChanges }: Pick<Repositories, 'zoneChanges'>,
  { state, limits }: LimitedState,
  decide: Decide<T, E>,
): ResultAsync<{ readonly value: T; readonly outside: FoundOutside | undefined }, E> =>
  safeTry(async function* () {
    let outside: FoundOutside | undefined;
    let found = decide({ state, limits, outside });
    if (found.isErr() && isUnknown(found.error)) {
      outside = yield* zoneChanges.outside(state.zone, found.error);
      found = decide({ state, limits, outside });
    }
    return found.map((value) => ({ value, outside })).mapErr(known);
  });

const isUnknown = (error: unknown): error is Unknown =>
  typeof error === 'object' && error !== null && 'type' in error && error.type === 'Unknown';

/** The error of a command that already got all the lookups it asked for. */
function known<E>(error: E | Unknown): E {
  if (isUnknown(error)) throw new Error('A decision requested more lookups after it had got all it asked for.');
  return error;
}

/** Applies the decision unless it has been superseded. */
function applied<E>(
  changes: ZoneChanges,
  caller: Caller,
  { nameTaken }: ZoneCommand<E>,
  { change, facts, outside }: Decision,
): ResultAsync<ChangedZone, E | Superseded> {
  const { state: before } = facts;
  if (isNothing(change.plan) && change.isAlwaysRecorded !== true && change.changeSet === undefined) {
    return okAsync({ before, after: before });
  }
  const record = recordOf(facts, caller, change);
  return changes
    .apply(facts, outside?.versions ?? [], record)
    .map((at) => ({ before, after: record.changeSet?.isAlone === true ? before : stateAfter(before, change.plan, at) }))
    .orElse((error): ResultAsync<ChangedZone, E | Superseded> => {
      if (error.type === 'Superseded') return errAsync(error);
      return nameTaken === undefined
        ? defect('A change without a new name failed because a name was taken.')
        : errAsync(nameTaken);
    });
}

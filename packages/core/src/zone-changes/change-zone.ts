import { errAsync, ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import { defect } from '../shared/failures.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import { type Attempt, firstApplied, undoneIfSuperseded } from './attempts.ts';
import { decideIn } from './decision.ts';
import { permittedFacts } from './permitted-facts.ts';
import type { ZoneChanges } from './ports.ts';
import { recordedChange } from './recorded-change.ts';
import type { ZoneChange, ZoneCommand } from './zone-command.ts';
import type { ResolvedReferences, ZoneFacts } from './zone-facts.ts';
import { isEmptyPlan } from './zone-plan.ts';

/** A zone before and after a change; equal states if nothing changed. */
export interface ChangedZone<C extends ZoneChange = ZoneChange> {
  readonly before: ZoneState;
  readonly after: ZoneState;
  /** The change as it was decided last, which is the one applied. */
  readonly change: C;
}

/**
 * The only way to change a zone or anything in it (optimistic concurrency): read facts, decide purely, and apply the
 * decision with one statement that requires the facts to be still true. If they are not, a concurrent change won and
 * the decision is repeated; after losing twice it waits in the zone's queue for its turn, so that those who lost do not
 * compete with one another. Nothing is decided while the zone is locked. A change of nothing leaves no trace.
 */
export function changeZone<E, C extends ZoneChange>(
  unitOfWork: UnitOfWork,
  caller: Caller,
  zone: ZoneId,
  command: ZoneCommand<E, C>,
): ResultAsync<ChangedZone<C>, E | ZoneAccessError> {
  const decide = (repositories: Repositories) => decided(repositories, caller, zone, command);
  const apply = (change: DecidedChange<C>) => (repositories: Repositories) =>
    applied(repositories.zoneChanges, caller, command, change);
  const freely = () =>
    unitOfWork.view(decide).andThen((change) => undoneIfSuperseded(unitOfWork, 'single', apply(change)));
  const inTurn = () =>
    undoneIfSuperseded(unitOfWork, 'run', (repositories) =>
      repositories.zoneChanges
        .queue(zone)
        .andThen(() => decide(repositories))
        .andThen((change) => apply(change)(repositories)),
    );
  return firstApplied([freely, freely, inTurn, inTurn, inTurn, inTurn, inTurn]);
}

/**
 * Like `changeZone`, for a zone that `arrange` creates in the same unit and nobody else can change yet. Backends it
 * refers to can still change concurrently; then everything is rolled back and retried.
 */
export function changeNewZone<E, C extends ZoneChange>(
  unitOfWork: UnitOfWork,
  caller: Caller,
  zone: ZoneId,
  arrange: (repositories: Repositories) => ResultAsync<void, E>,
  command: ZoneCommand<E, C>,
): ResultAsync<ChangedZone<C>, E | ZoneAccessError> {
  const attempt = () =>
    undoneIfSuperseded(unitOfWork, 'run', (repositories) =>
      arrange(repositories)
        .andThen(() => decided(repositories, caller, zone, command))
        .andThen((change) => applied(repositories.zoneChanges, caller, command, change)),
    );
  return firstApplied([attempt, attempt, attempt]);
}

/** Decides like `changeZone` without applying anything: checks whether the change would currently be accepted. */
export const tryChange = <E>(
  unitOfWork: UnitOfWork,
  caller: Caller,
  zone: ZoneId,
  command: ZoneCommand<E>,
): ResultAsync<void, E | ZoneAccessError> =>
  unitOfWork.view((repositories) => decided(repositories, caller, zone, command)).map(() => undefined);

/** A change, and what it was decided on. */
interface DecidedChange<C extends ZoneChange> {
  readonly change: C;
  readonly facts: ZoneFacts;
  readonly resolved: ResolvedReferences | undefined;
}

const decided = <E, C extends ZoneChange>(
  repositories: Repositories,
  caller: Caller,
  zoneId: ZoneId,
  command: ZoneCommand<E, C>,
): ResultAsync<DecidedChange<C>, E | ZoneAccessError> =>
  safeTry(async function* () {
    const facts = yield* permittedFacts(repositories, caller, zoneId, command.permission);
    const { state, limits } = facts;
    const decide = 'decide' in command ? command.decide : yield* command.prepare(repositories, state);
    const { value: change, resolved } = yield* decideIn(repositories, { state, limits }, decide);
    return ok({ change, facts, resolved });
  });

/** Applies the change unless it has been superseded. */
function applied<E, C extends ZoneChange>(
  changes: ZoneChanges,
  caller: Caller,
  { nameTaken }: ZoneCommand<E, C>,
  { change, facts, resolved }: DecidedChange<C>,
): Attempt<ChangedZone<C>, E> {
  const { state: before } = facts;
  if (isEmptyPlan(change.plan) && change.isAlwaysRecorded !== true && change.changeSet === undefined) {
    return okAsync<ChangedZone<C>>({ before, after: before, change });
  }
  return changes
    .apply(facts, resolved?.versions ?? [], recordedChange(facts, caller, change))
    .map((after) => (after === 'superseded' ? after : { before, after, change }))
    .orElse(() =>
      nameTaken === undefined
        ? defect('A change without a new name failed because a name was taken.')
        : errAsync(nameTaken),
    );
}

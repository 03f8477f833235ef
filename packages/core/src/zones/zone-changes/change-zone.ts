import { errAsync, ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import { defect } from '../../kernel/shared/failures.ts';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import { bytesWithoutQueue } from '../../kernel/usage-limits/usage-limits.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { Organization } from '../../organizations/organizations/organization.ts';
import type { StorageQuotas } from '../../organizations/organizations/ports.ts';
import { requireStorage } from '../../organizations/organizations/storage-quota.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import { decideIn } from './decision.ts';
import {
  type Attempt,
  firstApplied,
  mayStill,
  permittedFacts,
  type RequiredPermissions,
  undoneIfSuperseded,
} from './optimistic-write.ts';
import type { RecordedChange, ZoneChanges } from './ports.ts';
import { growthBy, recordedChange } from './recorded-change.ts';
import type { PureCommand, ZoneChange, ZoneCommand } from './zone-command.ts';
import type { ResolvedReferences, ZoneFacts } from './zone-facts.ts';
import { isEmptyPlan, permissionsForPlan } from './zone-plan.ts';

/** The repositories that a change of a zone needs, whatever it changes. */
export interface ZoneChangeRepositories {
  readonly storageQuotas: StorageQuotas;
  readonly zoneChanges: ZoneChanges;
}

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
export function changeZone<E, C extends ZoneChange, R extends ZoneChangeRepositories>(
  unitOfWork: UnitOfWork<R>,
  caller: Caller,
  zone: ZoneId,
  command: ZoneCommand<E, C, R>,
): ResultAsync<ChangedZone<C>, E | ZoneAccessError | InvalidInput> {
  const decide = (repositories: R) => decided(repositories, caller, zone, command);
  const freely = () =>
    unitOfWork
      .view(decide)
      .andThen((change) =>
        takesNames(change)
          ? undoneIfSuperseded(unitOfWork, 'run', (repositories) =>
              appliedInTurn(repositories, caller, command, change),
            )
          : undoneIfSuperseded(unitOfWork, 'single', (repositories) =>
              applied(repositories, command, change, recordedWithoutQueue(caller, change)),
            ),
      );
  const inTurn = () =>
    undoneIfSuperseded(unitOfWork, 'run', (repositories) =>
      repositories.zoneChanges
        .queue(zone)
        .andThen(() => decide(repositories))
        .andThen((change) => appliedInTurn(repositories, caller, command, change)),
    );
  return firstApplied([freely, freely, inTurn, inTurn, inTurn, inTurn, inTurn]);
}

/** What a change of a zone that does not exist yet is decided on: it is the zone's state once `arrange` has made it. */
export interface NewZone<E, R> {
  readonly read: (repositories: R) => ResultAsync<StateWithHistory, E>;
  /** Makes the zone, in a unit of its own; superseded if it would not be as it was read. */
  readonly arrange: (repositories: R, as: ZoneState) => Attempt<Organization, E>;
}

type Terms<E, R> = Pick<ZoneCommand<E, ZoneChange, R>, 'nameTaken' | 'takeHostNames'>;

type StateWithHistory = Pick<ZoneFacts, 'state' | 'limits' | 'replayBytes'>;

/**
 * Like `changeZone`, for a zone that is made in the unit that applies the change. The change is decided before, without
 * locks; it is decided again if the zone would be a different one by then, or backends that it refers to.
 */
export function changeNewZone<E, C extends ZoneChange, R extends ZoneChangeRepositories>(
  unitOfWork: UnitOfWork<R>,
  caller: Caller,
  { read, arrange }: NewZone<E, R>,
  command: ZoneCommand<E, C, R> & PureCommand<E, C>,
): ResultAsync<ChangedZone<C>, E | ZoneAccessError | InvalidInput> {
  const decide = (repositories: R) =>
    read(repositories).andThen((basis) =>
      decideIn(repositories, { ...basis, caller }, command.decide).map(({ value: change, resolved }) => ({
        decision: { change, resolved },
        basis,
        recorded: recordedChange(basis, caller, change),
      })),
    );
  const attempt = () =>
    unitOfWork.view(decide).andThen(({ decision, basis, recorded }) => {
      const required = [command.permission, ...permissionsForPlan(decision.change.plan)].flat();
      return undoneIfSuperseded(unitOfWork, 'run', (repositories) =>
        arrange(repositories, basis.state).andThen((organization) =>
          organization === 'superseded'
            ? okAsync(organization)
            : lockedFacts(repositories, caller, basis, organization, required).andThen((facts) =>
                appliedWithinQuota(repositories, command, { ...decision, facts }, recorded),
              ),
        ),
      );
    });
  return firstApplied([attempt, attempt, attempt]);
}

/** The facts about a zone that has just been made, whose organization is locked. */
const lockedFacts = (
  { zoneChanges }: Pick<ZoneChangeRepositories, 'zoneChanges'>,
  caller: Caller,
  basis: StateWithHistory,
  { revision: organizationRevision }: Organization,
  required: RequiredPermissions,
): ResultAsync<ZoneFacts, ZoneAccessError> =>
  zoneChanges
    .lock(basis.state.zone.id, caller.userId)
    .andThrough((locked) => mayStill(caller, locked, required))
    .map(({ membership }) => ({ ...basis, user: caller.userId, membership, organizationRevision }));

/** Decides like `changeZone` without applying anything: checks whether the change would currently be accepted. */
export const tryChange = <E, R extends ZoneChangeRepositories>(
  unitOfWork: UnitOfWork<R>,
  caller: Caller,
  zone: ZoneId,
  command: ZoneCommand<E, ZoneChange, R>,
): ResultAsync<void, E | ZoneAccessError> =>
  unitOfWork.view((repositories) => decided(repositories, caller, zone, command)).map(() => undefined);

/** A change, and what it was decided on. */
interface DecidedChange<C extends ZoneChange> {
  readonly change: C;
  readonly facts: ZoneFacts;
  readonly resolved: ResolvedReferences | undefined;
}

const decided = <E, C extends ZoneChange, R extends ZoneChangeRepositories>(
  repositories: R,
  caller: Caller,
  zoneId: ZoneId,
  command: ZoneCommand<E, C, R>,
): ResultAsync<DecidedChange<C>, E | ZoneAccessError> =>
  safeTry(async function* () {
    const facts = yield* permittedFacts(repositories, caller, zoneId, command.permission);
    const { state, limits } = facts;
    const decide = 'decide' in command ? command.decide : yield* command.prepare(repositories, state);
    const { value: change, resolved } = yield* decideIn(repositories, { state, limits, caller }, decide);
    yield* mayStill(caller, { ...facts, organizationId: state.zone.organizationId }, permissionsForPlan(change.plan));
    return ok({ change, facts, resolved });
  });

/** Whether the change takes host names from other zones, which takes more than one statement. */
const takesNames = ({ change }: Pick<DecidedChange<ZoneChange>, 'change'>): boolean =>
  change.plan.hostnames?.claims.some(({ from }) => from !== undefined) === true;

/** The change with its entries, for an organization with so much room that concurrent changes cannot fill it. */
function recordedWithoutQueue<C extends ZoneChange>(
  caller: Caller,
  { facts, change }: DecidedChange<C>,
): RecordedChange {
  const recorded = recordedChange(facts, caller, change);
  const growth = growthBy(facts.state, recorded);
  return growth <= 0 ? recorded : { ...recorded, mostStored: bytesWithoutQueue(facts.limits.storageBytes) - growth };
}

/** Applies the change if the organization's quota leaves room for it; others who need the last room wait. */
function appliedInTurn<E, C extends ZoneChange, R extends ZoneChangeRepositories>(
  repositories: R,
  caller: Caller,
  command: Terms<E, R>,
  decision: DecidedChange<C>,
): Attempt<ChangedZone<C>, E | ZoneAccessError | InvalidInput> {
  const { facts, change } = decision;
  const recorded = recordedChange(facts, caller, change);
  // Locks are always taken in this order: the zone, then the quota.
  return repositories.zoneChanges
    .lock(facts.state.zone.id, caller.userId)
    .andThen(() => appliedWithinQuota(repositories, command, decision, recorded));
}

/** Applies the change of a locked zone if the organization's quota leaves room for it. */
const appliedWithinQuota = <E, C extends ZoneChange, R extends ZoneChangeRepositories>(
  repositories: R,
  command: Terms<E, R>,
  decision: DecidedChange<C>,
  recorded: RecordedChange,
): Attempt<ChangedZone<C>, E | InvalidInput> => {
  const { state } = decision.facts;
  return requireStorage(repositories, state.zone.organizationId, growthBy(state, recorded)).andThen(() =>
    applied(repositories, command, decision, recorded),
  );
};

/** Applies the change unless it has been superseded. */
function applied<E, C extends ZoneChange, R extends Pick<ZoneChangeRepositories, 'zoneChanges'>>(
  repositories: R,
  { nameTaken, takeHostNames }: Terms<E, R>,
  decision: DecidedChange<C>,
  recorded: RecordedChange,
): Attempt<ChangedZone<C>, E> {
  const { change, facts, resolved } = decision;
  const { state: before } = facts;
  if (isEmptyPlan(change.plan) && change.isAlwaysRecorded !== true && change.changeSet === undefined) {
    return okAsync<ChangedZone<C>>({ before, after: before, change });
  }
  const taking = takesNames(decision) && takeHostNames?.(repositories, change.plan.hostnames?.claims ?? []);
  return (taking || okAsync('taken' as const))
    .andThen((outcome) =>
      outcome === 'superseded'
        ? okAsync(outcome)
        : repositories.zoneChanges.apply(facts, resolved?.versions ?? [], recorded),
    )
    .map((after) => (after === 'superseded' ? after : { before, after, change }))
    .orElse(() =>
      nameTaken === undefined
        ? defect('A change without a new name failed because a name was taken.')
        : errAsync(nameTaken),
    );
}

import { err, errAsync, ok, okAsync, Result, type ResultAsync } from 'neverthrow';
import { defect, storageContended } from '../../kernel/shared/failures.ts';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { type AccessDenied, reachesZone, stillMayIn } from '../../organizations/access/permissions.ts';
import type { Permission, Role } from '../../organizations/access/role.ts';
import { zoneNotFound } from '../zones/errors.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneChanges } from './ports.ts';
import type { LockedZone, ZoneFacts } from './zone-facts.ts';

/** What a write of a zone requires of its caller: one permission, or all of several. */
export type RequiredPermissions = Permission | readonly Permission[];

/**
 * The facts for a write of a zone. The permissions are checked before anything is locked, and for callers outside the
 * organization before anything in the zone is read.
 */
export const permittedFacts = (
  { zoneChanges }: { readonly zoneChanges: ZoneChanges },
  caller: Caller,
  zone: ZoneId,
  required: RequiredPermissions,
): ResultAsync<ZoneFacts, ZoneAccessError> =>
  (reachesZone(caller, zone) ? zoneChanges.facts(zone, caller.userId) : errAsync(zoneNotFound()))
    .orElse((error): ResultAsync<ZoneFacts, ZoneAccessError> => {
      if (error.type === 'ZoneNotFound') return errAsync(error);
      const outsider = { organizationId: error.organization, membership: undefined };
      return mayStill(caller, outsider, required).asyncAndThen(() => defect('An outsider has a permission.'));
    })
    .andThrough(({ state, membership }) =>
      mayStill(caller, { organizationId: state.zone.organizationId, membership }, required),
    );

/** Checks all permissions against a membership that was read after the caller was authenticated. */
export const mayStill = (
  caller: Caller,
  { organizationId, membership }: Pick<LockedZone, 'organizationId' | 'membership'>,
  required: RequiredPermissions,
): Result<readonly Role[], AccessDenied> =>
  Result.combine([required].flat().map((permission) => stillMayIn(caller, organizationId, membership, permission)));

/** One attempt at a write that was decided without a lock; superseded: a concurrent change won. */
export type Attempt<T, E> = ResultAsync<T | 'superseded', E>;

/** Why a unit is rolled back. */
type RolledBack<E> = { readonly refusal: E } | 'superseded';

/** Makes an attempt in a unit that is also rolled back if the attempt is superseded. */
export const undoneIfSuperseded = <T, E, R>(
  unitOfWork: UnitOfWork<R>,
  how: 'run' | 'single',
  attempt: (repositories: R) => Attempt<T, E>,
): Attempt<T, E> =>
  unitOfWork[how]<T, RolledBack<E>>((repositories) =>
    attempt(repositories)
      .mapErr((refusal): RolledBack<E> => ({ refusal }))
      .andThen((outcome): Result<T, RolledBack<E>> => (outcome === 'superseded' ? err('superseded') : ok(outcome))),
  ).orElse((why) => (why === 'superseded' ? ok(why) : err(why.refusal)));

/** Repeats a write until it is not superseded, as often as there are attempts; then storage counts as contended. */
export function firstApplied<T, E>([next, ...later]: readonly (() => Attempt<T, E>)[]): ResultAsync<T, E> {
  if (next === undefined) return storageContended('A change was superseded too many times.');
  return next().andThen((outcome) => (outcome === 'superseded' ? firstApplied(later) : okAsync(outcome)));
}

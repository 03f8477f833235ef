import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import { storageContended } from '../shared/failures.ts';

/** One attempt at a write that was decided without a lock; superseded: a concurrent change won. */
export type Attempt<T, E> = ResultAsync<T | 'superseded', E>;

/** Why a unit is rolled back. */
type RolledBack<E> = { readonly refusal: E } | 'superseded';

/** Makes an attempt in a unit that is also rolled back if the attempt is superseded. */
export const undoneIfSuperseded = <T, E>(
  unitOfWork: UnitOfWork,
  how: 'run' | 'single',
  attempt: (repositories: Repositories) => Attempt<T, E>,
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

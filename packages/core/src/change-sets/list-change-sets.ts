import { ok, okAsync, ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { mayIn } from '../access/permissions.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { ChangeSetId, ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { ZoneNotFound } from '../zones/errors.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { type ListedChangeSet, readConflicts } from './change-set-conflicts.ts';
import type { ChangeSetFilter, ChangeSetSort } from './ports.ts';

/** Which change sets of a zone to list, in which order. */
export interface ListChangeSetsQuery extends Omit<ChangeSetFilter, 'conflicted'>, PageRequest {
  readonly sort: readonly ChangeSetSort[];
}

export type ListChangeSets = (
  caller: Caller,
  zone: ZoneId,
  query: ListChangeSetsQuery,
) => ResultAsync<Page<ListedChangeSet>, ZoneAccessError>;

/** The change sets of a zone. */
export const listChangeSets =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ListChangeSets =>
  (caller, zone, { sort, page, itemsPerPage, ...filter }) =>
    unitOfWork.view((repositories) =>
      safeTry(async function* () {
        const { organizationId } = yield* repositories.zones.head(zone);
        yield* mayIn(caller, organizationId, 'zones.read');
        const conflicted = yield* conflictedIn(repositories, zone);
        const found = yield* repositories.changeSets.list(zone, { ...filter, conflicted }, sort, {
          page,
          itemsPerPage,
        });
        const items = found.items.map((set) => ({
          set,
          status: conflicted.includes(set.id) ? ('conflicted' as const) : set.status,
        }));
        return ok({ items, totalItems: found.totalItems });
      }),
    );

/** The open change sets of a zone that conflict with its current state. */
const conflictedIn = (repositories: Repositories, zone: ZoneId): ResultAsync<readonly ChangeSetId[], ZoneNotFound> =>
  repositories.changeSets.behind(zone).andThen((sets) =>
    sets.length === 0
      ? okAsync([])
      : repositories.zones
          .state(zone)
          .andThen((state) => ResultAsync.combine(sets.map((set) => readConflicts(repositories, state, set))))
          .map((all) => all.flatMap(({ set, status }) => (status === 'conflicted' ? [set.id] : []))),
  );

import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { mayReadZone, type ZoneAccessError } from '../../zones/zones/zone-access.ts';
import type { ChangeSetSummary } from './change-set.ts';
import type { ListedChangeSet } from './change-set-conflicts.ts';
import { mergeOutdated } from './merge-outdated.ts';
import type { ChangeSetFilter, ChangeSetSort, FoundMerge } from './ports.ts';
import type { ChangeSetRepositories } from './repositories.ts';

/** A filter and an order for the change sets of a zone. */
export interface ListChangeSetsQuery extends ChangeSetFilter, PageRequest {
  readonly sort: readonly ChangeSetSort[];
}

export type ListChangeSets = (
  caller: Caller,
  zone: ZoneId,
  query: ListChangeSetsQuery,
) => ResultAsync<Page<ListedChangeSet>, ZoneAccessError>;

/**
 * The change sets of a zone. Whether one conflicts is what its latest merge found out; those that were not merged with
 * the current zone yet are merged now, as far as `maxMergedCharacters` allows, and then that is remembered.
 */
export const listChangeSets =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<ChangeSetRepositories> }): ListChangeSets =>
  (caller, zone, query) =>
    unitOfWork
      .view((repositories) => pageBefore(repositories, caller, zone, query))
      .andThen(({ page, found }) => {
        if (found.length === 0) return ok(listedWith(page, found));
        return unitOfWork
          .single(({ changeSets }) => changeSets.noteMerges(found))
          .andThen(() =>
            tellsConflicts(query) ? unitOfWork.view((repositories) => pageOf(repositories, zone, query)) : ok(page),
          )
          .map((after) => listedWith(after, found));
      });

/** The page as far as it is known, and what merges that were due found out. */
const pageBefore = (repositories: ChangeSetRepositories, caller: Caller, zone: ZoneId, query: ListChangeSetsQuery) =>
  safeTry(async function* () {
    const { revision, limits } = yield* mayReadZone(repositories, caller, zone);
    const page = yield* pageOf(repositories, zone, query);
    const candidates = tellsConflicts(query)
      ? yield* pageOf(repositories, zone, {
          ...query,
          statuses: openStatuses,
          page: 1,
          itemsPerPage: limits.changeSets,
        })
      : page;
    return ok({ page, found: yield* mergeOutdated(repositories, { zone, revision }, candidates.items) });
  });

const openStatuses = ['open', 'conflicted'] as const;

/** True if conflicts decide which sets are on the page. */
const tellsConflicts = ({ statuses }: ChangeSetFilter): boolean =>
  openStatuses.filter((status) => statuses.includes(status)).length === 1;

const pageOf = (
  { changeSets }: Pick<ChangeSetRepositories, 'changeSets'>,
  zone: ZoneId,
  { sort, page, itemsPerPage, ...filter }: ListChangeSetsQuery,
): ResultAsync<Page<ChangeSetSummary>, never> => changeSets.list(zone, filter, sort, { page, itemsPerPage });

function listedWith(
  { items, totalItems }: Page<ChangeSetSummary>,
  found: readonly FoundMerge[],
): Page<ListedChangeSet> {
  const merges = new Map(found.map(({ id, merge }) => [id, merge]));
  const listed = items.map((set): ListedChangeSet => {
    const isConflicted = (merges.get(set.id) ?? set.merge)?.isConflicted === true;
    return { set, status: set.status === 'open' && isConflicted ? 'conflicted' : set.status };
  });
  return { items: listed, totalItems };
}

import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { RevisionSummary } from '../history/revision.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import { mayReadZone, type ZoneAccessError } from '../zones/zone-access.ts';

export type ListRevisions = (
  caller: Caller,
  zone: ZoneId,
  page: PageRequest,
) => ResultAsync<Page<RevisionSummary>, ZoneAccessError>;

/** The revisions of a zone, newest first. */
export const listRevisions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ListRevisions =>
  (caller, zone, page) =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, zone).andThen(() => repositories.history.list(zone, page)),
    );

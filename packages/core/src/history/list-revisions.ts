import type { ResultAsync } from 'neverthrow';
import { mayIn } from '../organizations/organization-access.ts';
import type { Caller } from '../sessions/caller.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { Revision } from './revision.ts';

export type ListRevisions = (
  caller: Caller,
  zone: ZoneId,
  page: PageRequest,
) => ResultAsync<Page<Revision>, ZoneAccessError>;

/** What happened to a zone, newest first. */
export const listRevisions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ListRevisions =>
  (caller, zone, page) =>
    unitOfWork.view(({ zones, history }) =>
      zones
        .organizationOf(zone)
        .andThen((organization) => mayIn(caller, organization, 'zones.read'))
        .andThen(() => history.list(zone, page)),
    );

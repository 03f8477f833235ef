import type { ResultAsync } from 'neverthrow';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { zonesOf } from '../../organizations/access/permissions.ts';
import type { Memberships } from '../../organizations/access/ports.ts';
import {
  checkOrganizationAccess,
  type OrganizationAccessError,
} from '../../organizations/organizations/organization-access.ts';
import type { Organizations } from '../../organizations/organizations/ports.ts';
import type { DeletedZone } from './deleted-zone.ts';
import type { DeletedZoneFilter, DeletedZones } from './ports.ts';

interface Repositories {
  readonly deletedZones: DeletedZones;
  readonly memberships: Memberships;
  readonly organizations: Organizations;
}

/** The zones of an organization that can be restored; for those who may delete zones. */
export const listDeletedZones =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    filter: Omit<DeletedZoneFilter, 'zones'>,
    page: PageRequest,
  ): ResultAsync<Page<DeletedZone>, OrganizationAccessError> =>
    checkOrganizationAccess({ unitOfWork })(caller, filter.organization, 'deletedZones.read').andThen(() =>
      unitOfWork.view(({ deletedZones }) => deletedZones.list({ ...filter, zones: zonesOf(caller) }, page)),
    );

import type { ResultAsync } from 'neverthrow';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { zonesOf } from '../../organizations/access/permissions.ts';
import {
  checkOrganizationAccess,
  type OrganizationAccessError,
} from '../../organizations/organizations/organization-access.ts';
import type { ZoneRepositories } from '../repositories.ts';
import type { DeletedZone } from './deleted-zone.ts';
import type { DeletedZoneFilter } from './ports.ts';

/** The zones of an organization that can be restored; for those who may delete zones. */
export const listDeletedZones =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<ZoneRepositories> }) =>
  (
    caller: Caller,
    filter: Omit<DeletedZoneFilter, 'zones'>,
    page: PageRequest,
  ): ResultAsync<Page<DeletedZone>, OrganizationAccessError> =>
    checkOrganizationAccess({ unitOfWork })(caller, filter.organization, 'deletedZones.read').andThen(() =>
      unitOfWork.view(({ deletedZones }) => deletedZones.list({ ...filter, zones: zonesOf(caller) }, page)),
    );

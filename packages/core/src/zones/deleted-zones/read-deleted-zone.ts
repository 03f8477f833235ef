import { err, type ResultAsync } from 'neverthrow';
import type { OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { reachesZone } from '../../organizations/access/permissions.ts';
import {
  checkOrganizationAccess,
  type OrganizationAccessError,
} from '../../organizations/organizations/organization-access.ts';
import type { ZoneRepositories } from '../repositories.ts';
import type { DeletedZone } from './deleted-zone.ts';
import { type DeletedZoneNotFound, deletedZoneNotFound } from './errors.ts';

/** One zone that can be restored; for those who may delete zones. */
export const readDeletedZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<ZoneRepositories> }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: ZoneId,
  ): ResultAsync<DeletedZone, OrganizationAccessError | DeletedZoneNotFound> =>
    checkOrganizationAccess({ unitOfWork })(caller, organization, 'deletedZones.read').andThen(() =>
      reachesZone(caller, id)
        ? unitOfWork.view(({ deletedZones }) => deletedZones.byId(organization, id))
        : err(deletedZoneNotFound()),
    );

import { err, type ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { reachesZone } from '../access/permissions.ts';
import { checkOrganizationAccess, type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId, ZoneId } from '../shared/ids.ts';
import type { DeletedZone } from './deleted-zone.ts';
import { type DeletedZoneNotFound, deletedZoneNotFound } from './errors.ts';

/** One zone that can be restored; for those who may delete zones. */
export const readDeletedZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
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

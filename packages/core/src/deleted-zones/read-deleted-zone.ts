import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { checkOrganizationAccess, type OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId, ZoneId } from '../shared/ids.ts';
import type { DeletedZone } from './deleted-zone.ts';
import type { DeletedZoneNotFound } from './errors.ts';

/** One zone that can be restored; requires the permission to delete zones. */
export const readDeletedZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: ZoneId,
  ): ResultAsync<DeletedZone, OrganizationAccessError | DeletedZoneNotFound> =>
    checkOrganizationAccess({ unitOfWork })(caller, organization, 'zones.delete').andThen(() =>
      unitOfWork.view(({ deletedZones }) => deletedZones.byId(organization, id)),
    );

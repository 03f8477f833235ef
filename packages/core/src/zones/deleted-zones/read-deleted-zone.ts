import { err, type ResultAsync } from 'neverthrow';
import type { OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { reachesZone } from '../../organizations/access/permissions.ts';
import type { Memberships } from '../../organizations/access/ports.ts';
import {
  checkOrganizationAccess,
  type OrganizationAccessError,
} from '../../organizations/organizations/organization-access.ts';
import type { Organizations } from '../../organizations/organizations/ports.ts';
import type { DeletedZone } from './deleted-zone.ts';
import { type DeletedZoneNotFound, deletedZoneNotFound } from './errors.ts';
import type { DeletedZones } from './ports.ts';

interface Repositories {
  readonly deletedZones: DeletedZones;
  readonly memberships: Memberships;
  readonly organizations: Organizations;
}

/** One zone that can be restored; for those who may delete zones. */
export const readDeletedZone =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
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

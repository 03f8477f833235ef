import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { mayReadBackends } from './backend-access.ts';
import type { BackendId } from './backend-reference.ts';
import type { OriginServerNotFound } from './errors.ts';
import type { OriginServer } from './origin-server.ts';

/** One origin server of an organization. */
export const readOriginServer =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: BackendId,
  ): ResultAsync<OriginServer, OrganizationAccessError | OriginServerNotFound> =>
    unitOfWork.view((repositories) =>
      mayReadBackends(repositories, caller, organization).andThen(() =>
        repositories.originServers.byId(organization, id),
      ),
    );

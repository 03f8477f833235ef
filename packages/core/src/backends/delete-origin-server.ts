import { type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { backendVersion } from './backend.ts';
import { mayWriteBackends } from './backend-access.ts';
import type { BackendId } from './backend-reference.ts';
import { requireUnused } from './backend-write.ts';
import type { BackendInUse, OriginServerNotFound } from './errors.ts';

/** Deletes an origin server that no zone, rule or load balancer uses. */
export const deleteOriginServer =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: BackendId,
    expected: ExpectedVersions,
  ): ResultAsync<void, OrganizationAccessError | OriginServerNotFound | VersionMismatch | BackendInUse> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* mayWriteBackends(repositories, caller, organization);
        // Lock before looking for users: a unit that is about to use it waits, and then fails to find it.
        const current = yield* repositories.originServers.lock(organization, id);
        yield* requireVersion(expected, backendVersion(current));
        yield* requireUnused(repositories, id);
        const objects = { originServer: id, name: current.name };
        yield* record(repositories, caller, 'originServer.deleted', { organization, objects });
        return repositories.originServers.remove(id, caller.userId);
      }),
    );

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
import type { BackendInUse, LoadBalancerNotFound } from './errors.ts';

/** Deletes a load balancer that neither a zone nor a rule uses; its origin servers stay. */
export const deleteLoadBalancer =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: BackendId,
    expected: ExpectedVersions,
  ): ResultAsync<void, OrganizationAccessError | LoadBalancerNotFound | VersionMismatch | BackendInUse> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* mayWriteBackends(repositories, caller, organization);
        // Lock before looking for users: a unit that is about to use it waits, and then fails to find it.
        const current = yield* repositories.loadBalancers.lock(organization, id);
        yield* requireVersion(expected, backendVersion(current));
        yield* requireUnused(repositories, id);
        const objects = { loadBalancer: id, name: current.name };
        yield* record(repositories, caller, 'loadBalancer.deleted', { organization, objects });
        return repositories.loadBalancers.remove(id, caller.userId);
      }),
    );

import { type ResultAsync, safeTry } from 'neverthrow';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { Caller } from '../access/caller.ts';
import { record } from '../audit/record.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import { type Backend, backendVersion } from './backend.ts';
import type { BackendId } from './backend-reference.ts';
import { mayWriteBackends, requireOwnUsers, requireUnused } from './backend-write.ts';
import type { BackendInUse, BackendUsedElsewhere, LoadBalancerNotFound, OriginServerNotFound } from './errors.ts';
import type { BackendRepositories } from './repositories.ts';

/** Backends of one kind. */
interface Removable<NotFound> {
  lock(organization: OrganizationId, id: BackendId): ResultAsync<Backend, NotFound>;
  remove(id: BackendId, author: UserId | undefined): ResultAsync<void, never>;
}

const deletion =
  <NotFound>(
    kind: 'originServer' | 'loadBalancer',
    backendsIn: (repositories: BackendRepositories) => Removable<NotFound>,
  ) =>
  ({ unitOfWork }: { unitOfWork: UnitOfWork<BackendRepositories> }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: BackendId,
    expected: ExpectedVersions,
  ): ResultAsync<void, OrganizationAccessError | NotFound | VersionMismatch | BackendUsedElsewhere | BackendInUse> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* mayWriteBackends(repositories, caller, organization);
        // Lock before looking for users: a unit that is about to use it waits, and then fails to find it.
        const current = yield* backendsIn(repositories).lock(organization, id);
        yield* requireVersion(expected, backendVersion(current));
        yield* requireOwnUsers(repositories, caller, id);
        yield* requireUnused(repositories, id);
        const objects = { [kind]: id, name: current.name };
        yield* record(repositories, caller, `${kind}.deleted`, { organization, objects });
        return backendsIn(repositories).remove(id, caller.userId);
      }),
    );

/** Deletes an origin server that no zone, rule or load balancer uses. */
export const deleteOriginServer = deletion<OriginServerNotFound>('originServer', ({ originServers }) => originServers);

/** Deletes a load balancer that neither a zone nor a rule uses; its origin servers stay. */
export const deleteLoadBalancer = deletion<LoadBalancerNotFound>('loadBalancer', ({ loadBalancers }) => loadBalancers);

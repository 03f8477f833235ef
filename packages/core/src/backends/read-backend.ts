import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { OrganizationAccessError } from '../organizations/organization-access.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { mayReadBackends } from './backend-access.ts';
import type { BackendId } from './backend-reference.ts';
import type { LoadBalancerNotFound, OriginServerNotFound } from './errors.ts';
import type { LoadBalancer } from './load-balancer.ts';
import type { OriginServer } from './origin-server.ts';

const reading =
  <Backend, NotFound>(
    byIdIn: (repositories: Repositories, organization: OrganizationId, id: BackendId) => ResultAsync<Backend, NotFound>,
  ) =>
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    organization: OrganizationId,
    id: BackendId,
  ): ResultAsync<Backend, OrganizationAccessError | NotFound> =>
    unitOfWork.view((repositories) =>
      mayReadBackends(repositories, caller, organization).andThen(() => byIdIn(repositories, organization, id)),
    );

/** One origin server of an organization. */
export const readOriginServer = reading<OriginServer, OriginServerNotFound>(({ originServers }, organization, id) =>
  originServers.byId(organization, id),
);

/** One load balancer of an organization. */
export const readLoadBalancer = reading<LoadBalancer, LoadBalancerNotFound>(({ loadBalancers }, organization, id) =>
  loadBalancers.byId(organization, id),
);
